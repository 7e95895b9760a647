// Everything that mrc.rs offers: columns of each type, states with and without memory of their own,
// missing values, settings and errors.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod mrc;
use mrc::{Column, Emitter, Job, Out, Plugin, Reducer, Reduction, Setting, Settings, Type, Value, Values};

// The least of two numbers, in any order: -0 is less than 0.
fn least(a: f64, b: f64) -> f64 {
    std::cmp::min_by(a, b, f64::total_cmp)
}

// The length of the longest text, or a larger integer, and the least number, if there is one.
#[derive(Default, Clone, Copy)]
struct Both {
    longest: i64,
    least: Option<f64>,
}

impl Reducer for Both {
    const NAME: &'static str = "both";
    const SUMMARY: &'static str = "the longest text and the least number";
    const VALUES: &'static [Type] = &[Type::Text, Type::Real, Type::Integer];
    const COLUMNS: &'static [Column] = &[
        Column { name: "bytes", is: Type::Integer },
        Column { name: "least", is: Type::Real },
    ];

    fn add(&mut self, values: &Values) {
        let bytes = values.text(0).map_or(0, |text| text.len() as i64);
        self.merge(&Both {
            longest: bytes.max(values.integer(2).unwrap_or(0)),
            least: values.real(1),
        });
    }
    fn merge(&mut self, other: &Self) {
        self.longest = self.longest.max(other.longest);
        self.least = match (self.least, other.least) {
            (Some(a), Some(b)) => Some(least(a, b)),
            (a, b) => a.or(b),
        };
    }
    fn save(&self, out: &mut Out) {
        out.write(&self.longest.to_ne_bytes());
        out.write(&self.least.unwrap_or(f64::NAN).to_ne_bytes());
    }
    fn load(&mut self, saved: &[u8]) {
        self.longest = i64::from_ne_bytes(saved[..8].try_into().unwrap());
        self.least = Some(f64::from_ne_bytes(saved[8..].try_into().unwrap())).filter(|x| !x.is_nan());
    }
    fn show(&self, column: usize) -> Value<'_> {
        match column {
            0 => Value::Integer(self.longest),
            _ => self.least.map_or(Value::Missing, Value::Real),
        }
    }
}

// The least of the numbers: a reducer of stats.
#[derive(Default)]
struct Numbers {
    all: Vec<f64>,
}

impl Reducer for Numbers {
    const NAME: &'static str = "numbers";
    const SUMMARY: &'static str = "the least of the numbers";
    const VALUES: &'static [Type] = &[Type::Real];
    const COLUMNS: &'static [Column] = &[Column { name: "numbers", is: Type::Real }];

    fn add(&mut self, values: &Values) {
        self.all.extend(values.real(0));
    }
    fn merge(&mut self, other: &Self) {
        self.all.extend(&other.all);
    }
    fn save(&self, out: &mut Out) {
        for number in &self.all {
            out.write(&number.to_ne_bytes());
        }
    }
    fn load(&mut self, saved: &[u8]) {
        self.all.extend(saved.chunks(8).map(|one| f64::from_ne_bytes(one.try_into().unwrap())));
    }
    fn show(&self, _: usize) -> Value<'_> {
        self.all.iter().copied().reduce(least).map_or(Value::Missing, Value::Real)
    }
}

// Lines by their first word, with the second as a number.
struct Fruits {
    refused: Vec<u8>,
}

impl Job for Fruits {
    const NAME: &'static str = "fruits";
    const SUMMARY: &'static str = "lines by their first word";
    const MANUAL: &'static str = "Reads lines of words.";
    const OPTIONS: &'static [Setting] = &[Setting {
        name: "refused",
        is: Type::Text,
        initial: "none",
        help: "a line that ends the job",
        least: 0.0,
        most: 0.0,
    }];
    const KEY_NAME: &'static str = "fruit";
    const VALUES: &'static [Type] = &[Type::Text, Type::Real, Type::Integer, Type::Integer];

    fn reductions() -> Vec<Reduction> {
        vec![Reduction::builtin("count", 0), Reduction::by::<Both>(0), Reduction::builtin("max", 3)]
    }
    fn open(settings: &Settings) -> Result<Self, String> {
        match settings.text(0) {
            [] => Err("nothing is refused".to_string()),
            refused => Ok(Fruits { refused: refused.to_vec() }),
        }
    }
    fn map(&self, line: &[u8], out: &mut Emitter) -> Result<(), String> {
        if line == self.refused {
            return Err(format!("{} is refused", String::from_utf8_lossy(line)));
        }
        let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
        let number = words.get(1).and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
        // A copy, as the emitter has to keep what is no part of the line.
        let word = words[0].to_vec();
        let number = number.map_or(Value::Missing, Value::Real);
        let words = Value::Integer(words.len() as i64);
        out.emit(&word, &[Value::Text(&word), number, Value::Missing, words]);
        Ok(())
    }
}

// The bytes of each user, the last time and the greatest quarter of the bytes.
struct Users;

impl Job for Users {
    const NAME: &'static str = "users";
    const SUMMARY: &'static str = "bytes and the last second by user";
    const MANUAL: &'static str = "Reads records with a user, bytes and a time.";
    const VALUES: &'static [Type] = &[Type::Integer, Type::Integer, Type::Real];
    const FIELDS: &'static [(&'static str, Type)] = &[
        ("user", Type::Text),
        ("bytes", Type::Integer),
        ("time", Type::Time),
        ("quarter=bytes/4", Type::Real),
    ];

    fn reductions() -> Vec<Reduction> {
        vec![Reduction::builtin("sum", 0), Reduction::builtin("max", 1), Reduction::builtin("count", 0)]
    }
    fn open(_: &Settings) -> Result<Self, String> {
        Ok(Users)
    }
    fn row(&self, record: &[u8], fields: &Values, out: &mut Emitter) -> Result<(), String> {
        if record.starts_with(b"refused") {
            return Err("a record is refused".to_string());
        }
        let integer = |value: Option<i64>| value.map_or(Value::Missing, Value::Integer);
        let quarter = fields.real(3).map_or(Value::Missing, Value::Real);
        let second = fields.time(2).map(|time| time / 1_000_000_000);
        out.emit(fields.text(0).unwrap_or(b"none"), &[integer(fields.integer(1)), integer(second), quarter]);
        Ok(())
    }
}

fn plugin() -> Plugin {
    Plugin::new("in_rust", "1.0", "everything of mrc.rs")
        .job::<Fruits>()
        .job::<Users>()
        .reducer::<Numbers>()
}
