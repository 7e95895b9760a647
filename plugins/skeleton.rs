// skeleton: counts lines by length and shows the longest of each class.
//
// A plugin for mrc to start from, in Rust: a job with a mapper, a built-in reducer and its own
// reducer. mrc-plugin(3) explains the interface, which is C. The module `mrc` at the end declares
// the part that is used here, so no crate is needed. No panic may leave a function: build with
// panic=abort.
//
//   make && mrc run ./skeleton.so sample.txt
#![allow(clippy::missing_safety_doc)]

use mrc::*;
use std::ffi::{c_char, c_int, c_void};
use std::mem::size_of;
use std::ptr::null;

// ---- A reducer: the longest text -----------------------------------------------------------

// The state of a key. mrc fills a new state with zero bytes, "no text yet", and may move it.
#[repr(C)]
struct Longest {
    data: *mut u8, // memory from the arena of add, merge and load
    size: usize,
    seen: u64, // 1 if there was a text: the longest may be empty
}

impl Longest {
    unsafe fn text(&self) -> &[u8] {
        if self.size == 0 {
            return &[];
        }
        std::slice::from_raw_parts(self.data, self.size)
    }

    // Threads see the records in any order, so the result must not depend on it: of two texts of
    // the same length, the smaller one is kept. Texts are valid during the call only, so it is
    // copied.
    unsafe fn take(&mut self, other: &[u8], arena: *mut Arena) {
        let better = self.seen == 0
            || other.len() > self.size
            || (other.len() == self.size && other < self.text());
        if !better {
            return;
        }
        if other.len() > self.size {
            self.data = ((*arena).allocate)(arena, other.len()) as *mut u8;
        }
        if !other.is_empty() {
            std::ptr::copy_nonoverlapping(other.as_ptr(), self.data, other.len());
        }
        self.size = other.len();
        self.seen = 1;
    }
}

// This reducer's state among those of the job.
unsafe fn own<'a>(part: *const Part, state: *mut u8) -> &'a mut Longest {
    &mut *(state.offset((*part).offset as isize) as *mut Longest)
}

unsafe extern "C" fn add(
    part: *const Part, states: *const *mut u8, values: Values, n: i64, arena: *mut Arena,
) {
    for i in 0..n as isize {
        let word = *values.words.offset(i * values.width as isize + (*part).value as isize);
        if let Some(text) = word_text(word) {
            own(part, *states.offset(i)).take(text, arena);
        }
    }
}

// Merges the states that several threads made for the same keys.
unsafe extern "C" fn merge(
    part: *const Part, into: *const *mut u8, from: *const *mut u8, n: i64, arena: *mut Arena,
) {
    for i in 0..n as isize {
        let other = own(part, *from.offset(i));
        if other.seen != 0 {
            own(part, *into.offset(i)).take(other.text(), arena);
        }
    }
}

// If memory is short, mrc moves states to a file: save writes the contents of a state, load
// restores them into a new one.
unsafe extern "C" fn save(part: *const Part, state: *const u8, out: *mut Out) {
    let state = own(part, state as *mut u8);
    write(out, &state.seen.to_ne_bytes());
    write(out, state.text());
}
unsafe extern "C" fn load(part: *const Part, state: *mut u8, saved: Text, arena: *mut Arena) {
    let bytes = std::slice::from_raw_parts(saved.data as *const u8, saved.size);
    let (seen, text) = bytes.split_at(size_of::<u64>());
    if seen[0] != 0 {
        own(part, state).take(text, arena);
    }
}

// The column of the output: writes the state as text.
unsafe extern "C" fn show(part: *const Part, state: *const u8, out: *mut Out) {
    write(out, own(part, state as *mut u8).text());
}

// ---- A job ---------------------------------------------------------------------------------

// The data that the functions of the job share. open makes it from the options of --set.
struct Shared {
    base: i64,
}

unsafe extern "C" fn open(_: *const Host, settings: Settings, this: *mut *mut c_void) -> c_int {
    let shared = Shared { base: (*settings.at).integer };
    *this = Box::into_raw(Box::new(shared)) as *mut c_void;
    0
}
unsafe extern "C" fn close(this: *mut c_void) {
    drop(Box::from_raw(this as *mut Shared));
}

// Many threads call this at the same time, each with up to 1,024 records. For each line, it emits
// a key, the smallest length of its class, and a value, the line.
unsafe extern "C" fn map(
    this: *mut c_void, _: *mut c_void, records: *const Records, out: *mut Emitter,
) -> c_int {
    let base = (*(this as *const Shared)).base;
    for i in 0..(*records).count as isize {
        let line = *(*records).records.offset(i);
        let size = line.size as i64;
        let mut least = i64::from(size > 0);
        while least > 0 && size / base >= least {
            least *= base;
        }
        *emit_integer(out, least) = emit_text(out, line);
    }
    0
}

// ---- The plugin ----------------------------------------------------------------------------

const TEXT_VALUE: &[u32] = &[TEXT];

// The only symbol that mrc looks up. Its result must live as long as the process.
#[no_mangle]
pub unsafe extern "C" fn mrc_plugin_v1(_: *const Host) -> *const Plugin {
    let columns = forever([Column {
        name: c(b"longest\0"),
        text: Some(show),
        ..std::mem::zeroed()
    }]);
    let longest = forever(Reducer {
        size: size_of::<Reducer>() as u32,
        name: c(b"longest\0"),
        summary: c(b"the longest text\0"),
        state_bytes: size_of::<Longest>() as i64,
        add: Some(add),
        merge: Some(merge),
        save: Some(save),
        load: Some(load),
        columns: Array { at: columns.as_ptr(), count: 1, bytes: size_of::<Column>() },
        values: TEXT_VALUE.as_ptr(),
        value_count: 1,
        ..std::mem::zeroed()
    });
    let options = forever([JobOption {
        name: c(b"base\0"),
        kind: INTEGER,
        initial: c(b"10\0"),
        help: c(b"classes of lengths are powers of it\0"),
        least: 2.0,
        most: 1000.0,
    }]);
    let reductions = forever([
        Reduction { builtin: c(b"count\0"), ..std::mem::zeroed() },
        Reduction { reducer: longest, ..std::mem::zeroed() },
    ]);
    let job = forever(Job {
        size: size_of::<Job>() as u32,
        shape: LINES,
        name: c(b"skeleton\0"),
        summary: c(b"count lines by their length, and show the longest\0"),
        manual: c(b"Reads lines of text. For each class of lengths (1 to 9 bytes, 10 to 99, ...)\n\
                    prints the smallest length, how many lines there are, and the longest.\0"),
        options: Array { at: options.as_ptr(), count: 1, bytes: size_of::<JobOption>() },
        key_type: INTEGER,
        key_name: c(b"length\0"),
        values: TEXT_VALUE.as_ptr(),
        value_count: 1,
        reductions: Array { at: reductions.as_ptr(), count: 2, bytes: size_of::<Reduction>() },
        open: Some(open),
        close: Some(close),
        map: Some(map),
        ..std::mem::zeroed()
    });
    forever(Plugin {
        size: size_of::<Plugin>() as u32,
        abi: ABI,
        name: c(b"skeleton\0"),
        version: c(b"1.0\0"),
        summary: c(b"lines by their length\0"),
        jobs: forever([job as *const Job, null()]).as_ptr(),
        reducers: forever([longest as *const Reducer, null()]).as_ptr(),
    })
}

fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
fn c(text: &'static [u8]) -> *const c_char {
    text.as_ptr() as *const c_char
}

// ---- The part of mrc_plugin.h that is used here ----------------------------------------------

#[allow(dead_code)]
mod mrc {
    use super::*;

    pub const ABI: u32 = 1;
    pub const BATCH: i64 = 1024;
    pub const INTEGER: u32 = 1;
    pub const TEXT: u32 = 0;
    pub const LINES: u32 = 0;

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Text {
        pub data: *const c_char,
        pub size: usize,
    }
    #[repr(C)]
    pub struct Values {
        pub words: *const u64,
        pub width: i64,
    }
    #[repr(C)]
    pub struct Arena {
        pub allocate: unsafe extern "C" fn(*mut Arena, usize) -> *mut c_void,
    }
    #[repr(C)]
    pub struct Out {
        pub write: unsafe extern "C" fn(*mut Out, *const c_void, usize),
    }
    #[repr(C)]
    pub struct Array<T> {
        pub at: *const T,
        pub count: usize,
        pub bytes: usize,
    }
    #[repr(C)]
    pub struct Part {
        pub reducer: *const Reducer,
        pub value: i64,
        pub position: i64,
        pub context: *const c_void,
        pub offset: i64,
    }
    #[repr(C)]
    pub struct Column {
        pub name: *const c_char,
        pub integer: Option<unsafe extern "C" fn(*const Part, *const u8) -> i64>,
        pub real: Option<unsafe extern "C" fn(*const Part, *const u8) -> f64>,
        pub text: Option<unsafe extern "C" fn(*const Part, *const u8, *mut Out)>,
    }
    type Add = unsafe extern "C" fn(*const Part, *const *mut u8, Values, i64, *mut Arena);
    type Merge =
        unsafe extern "C" fn(*const Part, *const *mut u8, *const *mut u8, i64, *mut Arena);
    type Save = unsafe extern "C" fn(*const Part, *const u8, *mut Out);
    type Load = unsafe extern "C" fn(*const Part, *mut u8, Text, *mut Arena);
    #[repr(C)]
    pub struct Reducer {
        pub size: u32,
        pub flags: u32,
        pub name: *const c_char,
        pub summary: *const c_char,
        pub state_bytes: i64,
        pub add: Option<Add>,
        pub merge: Option<Merge>,
        pub save: Option<Save>,
        pub load: Option<Load>,
        pub init: *const c_void,
        pub destroy: *const c_void,
        pub columns: Array<Column>,
        pub values: *const u32,
        pub value_count: usize,
        pub reduce: *const c_void,
        pub combine: *const c_void,
    }
    #[repr(C)]
    pub struct Host {
        pub size: u32,
        pub abi: u32,
        pub fail: unsafe extern "C" fn(*const c_char) -> c_int,
        pub note: unsafe extern "C" fn(*const c_char),
        pub reducer: unsafe extern "C" fn(*const c_char) -> *const Reducer,
        pub workers: unsafe extern "C" fn() -> i64,
    }
    #[repr(C)]
    pub struct JobOption {
        pub name: *const c_char,
        pub kind: u32,
        pub initial: *const c_char,
        pub help: *const c_char,
        pub least: f64,
        pub most: f64,
    }
    #[repr(C)]
    pub struct Setting {
        pub text: Text,
        pub integer: i64,
        pub real: f64,
    }
    #[repr(C)]
    pub struct Settings {
        pub at: *const Setting,
        pub count: usize,
        pub bytes: usize,
    }
    #[repr(C)]
    pub struct Records {
        pub size: u32,
        pub input_name: *const c_char,
        pub input: i64,
        pub offset: i64,
        pub bytes: Text,
        pub records: *const Text,
        pub count: i64,
        pub split: *const c_void,
        pub split_number: i64,
    }
    #[repr(C)]
    pub struct Emitter {
        pub size: u32,
        pub width: u32,
        pub count: i64,
        pub keys: *mut Text,
        pub integers: *mut i64,
        pub values: *mut u64,
        pub flush: unsafe extern "C" fn(*mut Emitter),
        pub keep: unsafe extern "C" fn(*mut Emitter, Text) -> Text,
    }
    #[repr(C)]
    pub struct Reduction {
        pub reducer: *const Reducer,
        pub builtin: *const c_char,
        pub value: i64,
        pub name: *const c_char,
    }
    type Begin = unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> c_int;
    type Map = unsafe extern "C" fn(*mut c_void, *mut c_void, *const Records, *mut Emitter) -> c_int;
    #[repr(C)]
    pub struct Job {
        pub size: u32,
        pub shape: u32,
        pub name: *const c_char,
        pub summary: *const c_char,
        pub manual: *const c_char,
        pub options: Array<JobOption>,
        pub record_bytes: i64,
        pub key_type: u32,
        pub key_name: *const c_char,
        pub values: *const u32,
        pub value_count: usize,
        pub reductions: Array<Reduction>,
        pub open: Option<unsafe extern "C" fn(*const Host, Settings, *mut *mut c_void) -> c_int>,
        pub close: Option<unsafe extern "C" fn(*mut c_void)>,
        pub split: *const c_void,
        pub acquire: *const c_void,
        pub release: *const c_void,
        pub begin: Option<Begin>,
        pub map: Option<Map>,
        pub end: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut Emitter) -> c_int>,
        pub order: *const c_void,
        pub compare: *const c_void,
        pub format: *const c_void,
        pub header: *const c_void,
        pub round: *const c_void,
        pub show: *const c_void,
    }
    #[repr(C)]
    pub struct Plugin {
        pub size: u32,
        pub abi: u32,
        pub name: *const c_char,
        pub version: *const c_char,
        pub summary: *const c_char,
        pub jobs: *const *const Job,
        pub reducers: *const *const Reducer,
    }

    // The inline functions of the header.
    const LONG: u64 = 0xFFFF;

    pub unsafe fn word_text<'a>(word: u64) -> Option<&'a [u8]> {
        let address = word & ((1 << 48) - 1);
        if address == 0 {
            return None;
        }
        if word >> 48 == LONG {
            let text = &*(address as *const Text);
            return Some(std::slice::from_raw_parts(text.data as *const u8, text.size));
        }
        Some(std::slice::from_raw_parts(address as *const u8, (word >> 48) as usize))
    }
    // The bytes must stay valid until the next flush. The emitter keeps a long text's address.
    pub unsafe fn emit_text(out: *mut Emitter, text: Text) -> u64 {
        if text.data.is_null() {
            return 0;
        }
        if (text.size as u64) < LONG {
            return text.data as u64 | (text.size as u64) << 48;
        }
        let room = [0u8; size_of::<Text>() + 7];
        let room = Text { data: room.as_ptr() as *const c_char, size: room.len() };
        let at = (((*out).keep)(out, room).data as usize + 7) & !7;
        *(at as *mut Text) = text;
        at as u64 | LONG << 48
    }
    unsafe fn next(out: *mut Emitter) -> isize {
        if (*out).count == BATCH {
            ((*out).flush)(out);
        }
        (*out).count += 1;
        (*out).count as isize - 1
    }
    // Emits a key, for jobs with key_type TEXT. Its bytes must stay valid until the next flush:
    // pass those of a record, or what keep returns. Fill in the values that are returned.
    pub unsafe fn emit(out: *mut Emitter, key: Text) -> *mut u64 {
        let at = next(out);
        *(*out).keys.offset(at) = key;
        (*out).values.offset(at * (*out).width as isize)
    }
    // Emits an integer key, for jobs with key_type INTEGER.
    pub unsafe fn emit_integer(out: *mut Emitter, key: i64) -> *mut u64 {
        let at = next(out);
        *(*out).integers.offset(at) = key;
        (*out).values.offset(at * (*out).width as isize)
    }
    // A copy that is valid until the next flush.
    pub unsafe fn keep(out: *mut Emitter, bytes: &[u8]) -> Text {
        let text = Text { data: bytes.as_ptr() as *const c_char, size: bytes.len() };
        ((*out).keep)(out, text)
    }
    pub unsafe fn write(out: *mut Out, bytes: &[u8]) {
        ((*out).write)(out, bytes.as_ptr() as *const c_void, bytes.len());
    }
}
