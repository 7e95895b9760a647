// skeleton: counts lines by length and shows the longest of each class.
//
// A plugin for mrc to start from, in Rust: a job with a mapper, a built-in reducer and its own
// reducer. mrc.rs beside it says what they may have; mrc-plugin(3) explains what mrc does with them.
//
//   make && mrc run ./skeleton.so sample.txt
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod mrc;
use mrc::{Column, Emitter, Out, Reducer, Reduction, Setting, Settings, Type, Value, Values};

// ---- A reducer: the longest text -----------------------------------------------------------

// The state of a key. None: there was no text yet.
#[derive(Default)]
struct Longest {
    text: Option<Vec<u8>>,
}

impl Longest {
    // Threads see the records in any order, so the result must not depend on it: of two texts of
    // the same length, the smaller one is kept.
    fn take(&mut self, other: &[u8]) {
        let is_better = match &self.text {
            Some(text) => other.len() > text.len() || (other.len() == text.len() && other < text),
            None => true,
        };
        if is_better {
            self.text = Some(other.to_vec());
        }
    }
}

impl Reducer for Longest {
    const NAME: &'static str = "longest";
    const SUMMARY: &'static str = "the longest text";
    const VALUES: &'static [Type] = &[Type::Text];
    const COLUMNS: &'static [Column] = &[Column { name: "longest", is: Type::Text }];

    // Takes the value of a record, unless it is missing.
    fn add(&mut self, values: &Values) {
        if let Some(text) = values.text(0) {
            self.take(text);
        }
    }
    // Takes what another thread has kept for the key.
    fn merge(&mut self, other: &Self) {
        if let Some(text) = &other.text {
            self.take(text);
        }
    }
    // If memory is short, mrc moves states to a file: save writes the contents of a state, load
    // restores them into a new one.
    fn save(&self, out: &mut Out) {
        out.write(&[self.text.is_some() as u8]);
        out.write(self.text.as_deref().unwrap_or_default());
    }
    fn load(&mut self, saved: &[u8]) {
        if let [1, text @ ..] = saved {
            self.take(text);
        }
    }
    // The column of the output.
    fn show(&self, _: usize) -> Value<'_> {
        self.text.as_deref().map_or(Value::Missing, Value::Text)
    }
}

// ---- A job ---------------------------------------------------------------------------------

struct Skeleton {
    base: i64,
}

impl mrc::Job for Skeleton {
    const NAME: &'static str = "skeleton";
    const SUMMARY: &'static str = "count lines by their length, and show the longest";
    const MANUAL: &'static str =
        "Reads lines of text. For each class of lengths (1 to 9 bytes, 10 to 99, ...)\n\
         prints the smallest length, how many lines there are, and the longest.";
    const OPTIONS: &'static [Setting] = &[Setting {
        name: "base",
        is: Type::Integer,
        initial: "10",
        help: "classes of lengths are powers of it",
        least: 2.0,
        most: 1000.0,
    }];
    // map emits the smallest length of the line's class, and the line.
    const KEY: Type = Type::Integer;
    const KEY_NAME: &'static str = "length";
    const VALUES: &'static [Type] = &[Type::Text];

    // The columns of the output: the number of lines, by a built-in reducer, and the longest line.
    fn reductions() -> Vec<Reduction> {
        vec![Reduction::builtin("count", 0), Reduction::by::<Longest>(0)]
    }
    // An error ends the job with its text.
    fn open(settings: &Settings) -> Result<Self, String> {
        Ok(Skeleton { base: settings.integer(0) })
    }
    // Many threads call this at the same time, for all lines.
    fn map(&self, line: &[u8], out: &mut Emitter) -> Result<(), String> {
        let size = line.len() as i64;
        let mut least = i64::from(size > 0);
        while least > 0 && size / self.base >= least {
            least *= self.base;
        }
        out.emit_integer(least, &[Value::Text(line)]);
        Ok(())
    }
}

fn plugin() -> mrc::Plugin {
    mrc::Plugin::new("skeleton", "1.0", "lines by their length")
        .job::<Skeleton>()
        .reducer::<Longest>()
}
