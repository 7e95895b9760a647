//! Plugins of mrc in Rust, without unsafe code of yours. mrc-plugin(3) explains what jobs and
//! reducers are; this module declares the part of its C interface that these traits need.
//!
//! Your file says `mod mrc;` and has a function `plugin` that lists what the plugin offers:
//!
//!     fn plugin() -> mrc::Plugin {
//!         mrc::Plugin::new("longest", "1.0", "longest texts").reducer::<Longest>()
//!     }
//!
//! A panic ends mrc, so build with panic=abort.
#![allow(dead_code)]

use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_void};
use std::mem::{needs_drop, size_of, MaybeUninit};
use std::ptr::{null, null_mut};

/// How values are written in words of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Type {
    Text = 0,
    Integer = 1,
    Real = 2,
    /// Of fields only: nanoseconds since 1970 in UTC.
    Time = 3,
}

/// What a job emits with a key.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Text(&'a [u8]),
    Integer(i64),
    Real(f64),
    Missing,
}

// ---- Reducers --------------------------------------------------------------------------------

/// The state of a key. mrc moves it between threads, and drops it.
pub trait Reducer: Default + Send + 'static {
    const NAME: &'static str;
    const SUMMARY: &'static str;
    /// The types of the values that `add` gets.
    const VALUES: &'static [Type];
    const COLUMNS: &'static [Column];

    /// Takes the values of a record. Texts are valid during the call.
    fn add(&mut self, values: &Values);
    /// Takes what another thread has added.
    fn merge(&mut self, other: &Self);
    /// Writes all of the state as bytes, and reads it back into a new one.
    fn save(&self, out: &mut Out);
    fn load(&mut self, saved: &[u8]);
    /// What a column shows. Its value has the type that COLUMNS says, or is missing.
    fn show<'a>(&'a self, column: usize) -> Value<'a>;
}

pub struct Column {
    pub name: &'static str,
    pub is: Type,
}

/// The values of a record. None: the value is missing.
pub struct Values<'a> {
    words: &'a [u64],
    types: &'a [Type],
}

impl<'a> Values<'a> {
    fn word(&self, i: usize, wanted: Type) -> u64 {
        assert_eq!(self.types[i], wanted, "the type of value {i}");
        self.words[i]
    }
    pub fn text(&self, i: usize) -> Option<&'a [u8]> {
        let word = self.word(i, Type::Text);
        let address = word & ((1 << 48) - 1);
        if address == 0 {
            return None;
        }
        let text = match word >> 48 {
            LONG => unsafe { *(address as *const Text) },
            size => Text { data: address as *const c_char, size: size as usize },
        };
        Some(unsafe { text.bytes() })
    }
    pub fn integer(&self, i: usize) -> Option<i64> {
        Some(self.word(i, Type::Integer) as i64).filter(|&value| value != i64::MIN)
    }
    pub fn time(&self, i: usize) -> Option<i64> {
        Some(self.word(i, Type::Time) as i64).filter(|&value| value != i64::MIN)
    }
    pub fn real(&self, i: usize) -> Option<f64> {
        Some(f64::from_bits(self.word(i, Type::Real))).filter(|value| !value.is_nan())
    }
}

/// Takes bytes, in order.
pub struct Out {
    out: *mut RawOut,
}

impl Out {
    pub fn write(&mut self, bytes: &[u8]) {
        unsafe { ((*self.out).write)(self.out, bytes.as_ptr() as *const c_void, bytes.len()) }
    }
}

/// The bytes of a state: zero bytes are one that is not made yet.
#[repr(C)]
struct Slot<R> {
    is_made: u64,
    state: MaybeUninit<R>,
}

impl<R: Reducer> Slot<R> {
    unsafe fn at<'a>(part: *const Part, states: *const u8) -> &'a mut Slot<R> {
        &mut *(states.offset((*part).offset as isize) as *mut Slot<R>)
    }
    fn get(&mut self) -> &mut R {
        if self.is_made == 0 {
            self.state.write(R::default());
            self.is_made = 1;
        }
        unsafe { self.state.assume_init_mut() }
    }
}

unsafe extern "C" fn add<R: Reducer>(
    part: *const Part, states: *const *mut u8, values: RawValues, n: i64, _: *mut c_void,
) {
    for i in 0..n as isize {
        let first = values.words.offset(i * values.width as isize + (*part).value as isize);
        let words = std::slice::from_raw_parts(first, R::VALUES.len());
        Slot::<R>::at(part, *states.offset(i)).get().add(&Values { words, types: R::VALUES });
    }
}
unsafe extern "C" fn merge<R: Reducer>(
    part: *const Part, into: *const *mut u8, from: *const *mut u8, n: i64, _: *mut c_void,
) {
    for i in 0..n as isize {
        let other = Slot::<R>::at(part, *from.offset(i));
        if other.is_made != 0 {
            Slot::<R>::at(part, *into.offset(i)).get().merge(other.get());
        }
    }
}
unsafe extern "C" fn save<R: Reducer>(part: *const Part, state: *const u8, out: *mut RawOut) {
    let slot = Slot::<R>::at(part, state);
    let mut out = Out { out };
    out.write(&[slot.is_made as u8]);
    if slot.is_made != 0 {
        slot.get().save(&mut out);
    }
}
unsafe extern "C" fn load<R: Reducer>(
    part: *const Part, state: *mut u8, saved: Text, _: *mut c_void,
) {
    if let [1, bytes @ ..] = saved.bytes() {
        Slot::<R>::at(part, state).get().load(bytes);
    }
}
unsafe extern "C" fn destroy<R: Reducer>(part: *const Part, state: *mut u8) {
    let slot = Slot::<R>::at(part, state);
    if slot.is_made != 0 {
        slot.state.assume_init_drop();
        slot.is_made = 0;
    }
}

// A column that is shown before anything was added shows what a new state would.
fn shown<R: Reducer, T>(
    part: *const Part, state: *const u8, column: usize, take: impl FnOnce(Value) -> T,
) -> T {
    let slot = unsafe { Slot::<R>::at(part, state) };
    match slot.is_made {
        0 => take(R::default().show(column)),
        _ => take(slot.get().show(column)),
    }
}
unsafe extern "C" fn integer<R: Reducer, const I: usize>(part: *const Part, state: *const u8) -> i64 {
    shown::<R, i64>(part, state, I, |value| match value {
        Value::Integer(value) => value,
        _ => i64::MIN,
    })
}
unsafe extern "C" fn real<R: Reducer, const I: usize>(part: *const Part, state: *const u8) -> f64 {
    shown::<R, f64>(part, state, I, |value| match value {
        Value::Real(value) => value,
        _ => f64::NAN,
    })
}
unsafe extern "C" fn text<R: Reducer, const I: usize>(
    part: *const Part, state: *const u8, out: *mut RawOut,
) {
    shown::<R, ()>(part, state, I, |value| {
        if let Value::Text(value) = value {
            Out { out }.write(value)
        }
    })
}

fn column<R: Reducer, const I: usize>() -> Option<RawColumn> {
    let column = R::COLUMNS.get(I)?;
    let mut raw = RawColumn { name: c(column.name), integer: None, real: None, text: None };
    match column.is {
        Type::Integer => raw.integer = Some(integer::<R, I>),
        Type::Real => raw.real = Some(real::<R, I>),
        Type::Text => raw.text = Some(text::<R, I>),
        Type::Time => panic!("column {}: only a field has times", column.name),
    }
    Some(raw)
}

// One description for each reducer: jobs and the plugin share it.
fn reducer<R: Reducer>() -> *const RawReducer {
    let all = [column::<R, 0>(), column::<R, 1>(), column::<R, 2>(), column::<R, 3>()];
    assert!(R::COLUMNS.len() <= all.len(), "a reducer has up to four columns");
    let columns: Vec<RawColumn> = all.into_iter().flatten().collect();
    let types: Vec<u32> = R::VALUES.iter().map(|&one| one as u32).collect();
    forever(RawReducer {
        size: size_of::<RawReducer>() as u32,
        flags: 0,
        name: c(R::NAME),
        summary: c(R::SUMMARY),
        state_bytes: (size_of::<Slot<R>>() as i64 + 7) / 8 * 8,
        add: add::<R>,
        merge: merge::<R>,
        save: save::<R>,
        load: load::<R>,
        init: null(),
        destroy: if needs_drop::<R>() { Some(destroy::<R>) } else { None },
        columns: array(columns),
        value_count: types.len(),
        values: types.leak().as_ptr(),
        reduce: null(),
        combine: null(),
    })
}

// ---- Jobs --------------------------------------------------------------------------------------

/// A job over lines, or over fields of records. All threads share the object.
pub trait Job: Sized + Send + Sync + 'static {
    const NAME: &'static str;
    const SUMMARY: &'static str;
    /// For mrc help NAME.
    const MANUAL: &'static str;
    /// What users set by --set NAME=VALUE.
    const OPTIONS: &'static [Setting] = &[];
    /// Text or Integer.
    const KEY: Type = Type::Text;
    const KEY_NAME: &'static str = "key";
    /// The types of what is emitted with a key.
    const VALUES: &'static [Type] = &[];
    /// Fields as in mrc stats -k, and their types. If there are any, mrc reads records of any format
    /// that it knows, and calls `row` in place of `map`.
    const FIELDS: &'static [(&'static str, Type)] = &[];

    /// The columns of the answer.
    fn reductions() -> Vec<Reduction> {
        vec![Reduction::builtin("count", 0)]
    }
    /// Called once, before anything is read. An error ends the job with its text.
    fn open(settings: &Settings) -> Result<Self, String>;
    /// Emits keys and values of a line. Called by many threads at the same time, as `row` is.
    fn map(&self, _line: &[u8], _out: &mut Emitter) -> Result<(), String> {
        Err("the job has no map".to_string())
    }
    /// Emits keys and values of a record, of which `fields` has those that FIELDS names.
    fn row(&self, _record: &[u8], _fields: &Values, _out: &mut Emitter) -> Result<(), String> {
        Err("the job has no row".to_string())
    }
}

pub struct Setting {
    pub name: &'static str,
    pub is: Type,
    pub initial: &'static str,
    pub help: &'static str,
    /// Limits of a number, if least < most.
    pub least: f64,
    pub most: f64,
}

/// The settings, in the order of the job's OPTIONS.
pub struct Settings {
    settings: RawArray<RawSetting>,
}

impl Settings {
    fn at(&self, i: usize) -> &RawSetting {
        assert!(i < self.settings.count);
        let first = self.settings.at as *const u8;
        unsafe { &*(first.add(i * self.settings.bytes) as *const RawSetting) }
    }
    pub fn integer(&self, i: usize) -> i64 {
        self.at(i).integer
    }
    pub fn real(&self, i: usize) -> f64 {
        self.at(i).real
    }
    pub fn text(&self, i: usize) -> &[u8] {
        unsafe { self.at(i).text.bytes() }
    }
}

/// A reducer of a job, for the values in a column of those that map emits.
pub struct Reduction(RawReduction);

impl Reduction {
    pub fn builtin(name: &str, column: i64) -> Self {
        Reduction(RawReduction { reducer: null(), builtin: c(name), value: column, name: null() })
    }
    pub fn by<R: Reducer>(column: i64) -> Self {
        Reduction(RawReduction {
            reducer: reducer::<R>(),
            builtin: null(),
            value: column,
            name: null(),
        })
    }
}

/// Takes keys and values. What is part of the line is not copied.
pub struct Emitter {
    out: *mut RawEmitter,
    lines: std::ops::Range<usize>,
    types: &'static [Type],
    key: Type,
}

impl Emitter {
    pub fn emit(&mut self, key: &[u8], values: &[Value]) {
        assert_eq!(self.key, Type::Text, "the job's KEY");
        let at = self.next();
        let key = self.lasting(key);
        unsafe { *(*self.out).keys.add(at) = key }
        self.put(at, values);
    }
    pub fn emit_integer(&mut self, key: i64, values: &[Value]) {
        assert_eq!(self.key, Type::Integer, "the job's KEY");
        let at = self.next();
        unsafe { *(*self.out).integers.add(at) = key }
        self.put(at, values);
    }

    // Room for one more. The count grows in put, after all copies are made.
    fn next(&mut self) -> usize {
        unsafe {
            if (*self.out).count == BATCH {
                ((*self.out).flush)(self.out);
            }
            (*self.out).count as usize
        }
    }
    // A text that stays valid until the next flush.
    fn lasting(&mut self, text: &[u8]) -> Text {
        let is_inside = self.lines.contains(&(text.as_ptr() as usize));
        let text = Text { data: text.as_ptr() as *const c_char, size: text.len() };
        if is_inside || text.size == 0 {
            return text;
        }
        unsafe { ((*self.out).keep)(self.out, text) }
    }
    fn put(&mut self, at: usize, values: &[Value]) {
        assert_eq!(values.len(), self.types.len(), "the number of the job's VALUES");
        for (i, &value) in values.iter().enumerate() {
            let word = match (value, self.types[i]) {
                (Value::Text(text), Type::Text) => self.text_word(text),
                (Value::Integer(value), Type::Integer) => value as u64,
                (Value::Real(value), Type::Real) => value.to_bits(),
                (Value::Missing, Type::Text) => 0,
                (Value::Missing, Type::Integer) => i64::MIN as u64,
                (Value::Missing, Type::Real) => f64::NAN.to_bits(),
                (_, Type::Time) => panic!("value {i}: only a field has times"),
                (_, wanted) => panic!("value {i} is not of type {wanted:?}"),
            };
            unsafe { *(*self.out).values.add(at * self.types.len() + i) = word }
        }
        unsafe { (*self.out).count += 1 }
    }
    // A long text's word is the address of a Text, which lasts as long.
    fn text_word(&mut self, text: &[u8]) -> u64 {
        let text = self.lasting(text);
        if (text.size as u64) < LONG {
            return text.data as u64 | (text.size as u64) << 48;
        }
        let room = [0u8; size_of::<Text>() + 7];
        let room = Text { data: room.as_ptr() as *const c_char, size: room.len() };
        unsafe {
            let at = (((*self.out).keep)(self.out, room).data as usize + 7) & !7;
            *(at as *mut Text) = text;
            at as u64 | LONG << 48
        }
    }
}

fn failed(reason: String) -> c_int {
    let reason = CString::new(reason.replace('\0', " ")).unwrap();
    unsafe { ((*HOST).fail)(reason.as_ptr()) }
}

unsafe extern "C" fn open<J: Job>(
    _: *const Host, settings: RawArray<RawSetting>, this: *mut *mut c_void,
) -> c_int {
    match J::open(&Settings { settings }) {
        Ok(job) => {
            *this = Box::into_raw(Box::new(job)) as *mut c_void;
            0
        }
        Err(reason) => failed(reason),
    }
}
unsafe extern "C" fn close<J: Job>(this: *mut c_void) {
    drop(Box::from_raw(this as *mut J));
}
unsafe extern "C" fn map<J: Job>(
    this: *mut c_void, _: *mut c_void, records: *const Records, out: *mut RawEmitter,
) -> c_int {
    let first = (*records).bytes.data as usize;
    let lines = first..first + (*records).bytes.size + 1;
    let mut out = Emitter { out, lines, types: J::VALUES, key: J::KEY };
    let types: Vec<Type> = J::FIELDS.iter().map(|one| one.1).collect();
    let job = &*(this as *const J);
    for i in 0..(*records).count as usize {
        let line = (*(*records).records.add(i)).bytes();
        let done = match types.len() {
            0 => job.map(line, &mut out),
            width => {
                let words = std::slice::from_raw_parts((*records).values.words.add(i * width), width);
                job.row(line, &Values { words, types: &types }, &mut out)
            }
        };
        if let Err(reason) = done {
            return failed(reason);
        }
    }
    0
}

fn job<J: Job>() -> *const RawJob {
    let options: Vec<RawOption> = (J::OPTIONS.iter())
        .map(|one| RawOption {
            name: c(one.name),
            kind: one.is as u32,
            initial: c(one.initial),
            help: c(one.help),
            least: one.least,
            most: one.most,
        })
        .collect();
    let values: Vec<u32> = J::VALUES.iter().map(|&one| one as u32).collect();
    let fields: Vec<RawField> = (J::FIELDS.iter())
        .map(|one| RawField { name: c(one.0), kind: one.1 as u32 })
        .collect();
    let reductions: Vec<RawReduction> = J::reductions().into_iter().map(|one| one.0).collect();
    forever(RawJob {
        size: size_of::<RawJob>() as u32,
        shape: if fields.is_empty() { LINES } else { ROWS },
        name: c(J::NAME),
        summary: c(J::SUMMARY),
        manual: c(J::MANUAL),
        options: array(options),
        record_bytes: 0,
        key_type: J::KEY as u32,
        key_name: c(J::KEY_NAME),
        value_count: values.len(),
        values: values.leak().as_ptr(),
        reductions: array(reductions),
        open: open::<J>,
        close: close::<J>,
        unset: [null(); 4],
        map: map::<J>,
        unset_too: [null(); 7],
        fields: array(fields),
    })
}

// ---- The plugin ----------------------------------------------------------------------------

/// What a plugin offers.
pub struct Plugin {
    name: &'static str,
    version: &'static str,
    summary: &'static str,
    jobs: Vec<*const RawJob>,
    reducers: Vec<*const RawReducer>,
}

impl Plugin {
    pub fn new(name: &'static str, version: &'static str, summary: &'static str) -> Self {
        Plugin { name, version, summary, jobs: vec![], reducers: vec![] }
    }
    pub fn job<J: Job>(mut self) -> Self {
        self.jobs.push(job::<J>());
        self
    }
    /// mrc stats -a NAME:FIELD
    pub fn reducer<R: Reducer>(mut self) -> Self {
        self.reducers.push(reducer::<R>());
        self
    }
}

static mut HOST: *const Host = null();

/// The only symbol that mrc looks up. Its result lives as long as the process.
#[no_mangle]
pub unsafe extern "C" fn mrc_plugin_v1(host: *const Host) -> *const c_void {
    HOST = host;
    let mut plugin = crate::plugin();
    plugin.jobs.push(null());
    plugin.reducers.push(null());
    forever(RawPlugin {
        size: size_of::<RawPlugin>() as u32,
        abi: 1,
        name: c(plugin.name),
        version: c(plugin.version),
        summary: c(plugin.summary),
        jobs: plugin.jobs.leak().as_ptr(),
        reducers: plugin.reducers.leak().as_ptr(),
    }) as *const c_void
}

fn forever<T>(value: T) -> *const T {
    Box::leak(Box::new(value))
}
fn c(text: &str) -> *const c_char {
    CString::new(text).expect("a text without NUL").into_raw()
}
fn array<T>(all: Vec<T>) -> RawArray<T> {
    // An array without elements is all zero, as unset members are: an older mrc takes it, too.
    match all.len() {
        0 => RawArray { at: null_mut(), count: 0, bytes: 0 },
        count => RawArray { at: all.leak().as_ptr(), count, bytes: size_of::<T>() },
    }
}

// ---- The structs of mrc_plugin.h, up to the last member that is set here -----------------------

const BATCH: i64 = 1024;
const LINES: u32 = 0;
const ROWS: u32 = 5;
const LONG: u64 = 0xFFFF;

#[repr(C)]
#[derive(Clone, Copy)]
struct Text {
    data: *const c_char,
    size: usize,
}
impl Text {
    unsafe fn bytes<'a>(&self) -> &'a [u8] {
        match self.size {
            0 => &[],
            size => std::slice::from_raw_parts(self.data as *const u8, size),
        }
    }
}
#[repr(C)]
struct RawArray<T> {
    at: *const T,
    count: usize,
    bytes: usize,
}
#[repr(C)]
struct RawValues {
    words: *const u64,
    width: i64,
}
#[repr(C)]
struct RawOut {
    write: unsafe extern "C" fn(*mut RawOut, *const c_void, usize),
}
#[repr(C)]
struct Part {
    reducer: *const RawReducer,
    value: i64,
    position: i64,
    context: *const c_void,
    offset: i64,
}
#[repr(C)]
struct RawColumn {
    name: *const c_char,
    integer: Option<unsafe extern "C" fn(*const Part, *const u8) -> i64>,
    real: Option<unsafe extern "C" fn(*const Part, *const u8) -> f64>,
    text: Option<unsafe extern "C" fn(*const Part, *const u8, *mut RawOut)>,
}
type Add = unsafe extern "C" fn(*const Part, *const *mut u8, RawValues, i64, *mut c_void);
type Merge = unsafe extern "C" fn(*const Part, *const *mut u8, *const *mut u8, i64, *mut c_void);
#[repr(C)]
struct RawReducer {
    size: u32,
    flags: u32,
    name: *const c_char,
    summary: *const c_char,
    state_bytes: i64,
    add: Add,
    merge: Merge,
    save: unsafe extern "C" fn(*const Part, *const u8, *mut RawOut),
    load: unsafe extern "C" fn(*const Part, *mut u8, Text, *mut c_void),
    init: *const c_void,
    destroy: Option<unsafe extern "C" fn(*const Part, *mut u8)>,
    columns: RawArray<RawColumn>,
    values: *const u32,
    value_count: usize,
    reduce: *const c_void,
    combine: *const c_void,
}
#[repr(C)]
pub struct Host {
    size: u32,
    abi: u32,
    fail: unsafe extern "C" fn(*const c_char) -> c_int,
}
#[repr(C)]
struct RawOption {
    name: *const c_char,
    kind: u32,
    initial: *const c_char,
    help: *const c_char,
    least: f64,
    most: f64,
}
#[repr(C)]
struct RawSetting {
    text: Text,
    integer: i64,
    real: f64,
}
#[repr(C)]
struct Records {
    size: u32,
    input_name: *const c_char,
    input: i64,
    offset: i64,
    bytes: Text,
    records: *const Text,
    count: i64,
    split: *const c_void,
    split_number: i64,
    values: RawValues,
}
#[repr(C)]
struct RawField {
    name: *const c_char,
    kind: u32,
}
#[repr(C)]
struct RawEmitter {
    size: u32,
    width: u32,
    count: i64,
    keys: *mut Text,
    integers: *mut i64,
    values: *mut u64,
    flush: unsafe extern "C" fn(*mut RawEmitter),
    keep: unsafe extern "C" fn(*mut RawEmitter, Text) -> Text,
}
#[repr(C)]
struct RawReduction {
    reducer: *const RawReducer,
    builtin: *const c_char,
    value: i64,
    name: *const c_char,
}
#[repr(C)]
struct RawJob {
    size: u32,
    shape: u32,
    name: *const c_char,
    summary: *const c_char,
    manual: *const c_char,
    options: RawArray<RawOption>,
    record_bytes: i64,
    key_type: u32,
    key_name: *const c_char,
    values: *const u32,
    value_count: usize,
    reductions: RawArray<RawReduction>,
    open: unsafe extern "C" fn(*const Host, RawArray<RawSetting>, *mut *mut c_void) -> c_int,
    close: unsafe extern "C" fn(*mut c_void),
    unset: [*const c_void; 4], // split, acquire, release and begin
    map: unsafe extern "C" fn(*mut c_void, *mut c_void, *const Records, *mut RawEmitter) -> c_int,
    unset_too: [*const c_void; 7], // end, order, compare, format, header, round and show
    fields: RawArray<RawField>,
}
#[repr(C)]
struct RawPlugin {
    size: u32,
    abi: u32,
    name: *const c_char,
    version: *const c_char,
    summary: *const c_char,
    jobs: *const *const RawJob,
    reducers: *const *const RawReducer,
}
