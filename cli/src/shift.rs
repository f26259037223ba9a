//! The value of `--shift`.

use std::fmt;
use std::str::FromStr;

use trellis_dxil::bindings::DefaultBindings;

/// The shifts given on the command line, each for a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shifts {
    cbv: Option<u32>,
    srv: Option<u32>,
    uav: Option<u32>,
    sampler: Option<u32>,
    counter: Option<u32>,
}

impl Shifts {
    /// Returns a binding model with these shifts; a class that is not named keeps its own.
    pub(crate) fn apply(self, model: DefaultBindings) -> DefaultBindings {
        DefaultBindings {
            cbv: self.cbv.unwrap_or(model.cbv),
            srv: self.srv.unwrap_or(model.srv),
            uav: self.uav.unwrap_or(model.uav),
            sampler: self.sampler.unwrap_or(model.sampler),
            counter: self.counter.unwrap_or(model.counter),
            ..model
        }
    }
}

/// What is wrong with the value of `--shift`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShiftError {
    /// A pair has no `=`.
    NoNumber(String),
    /// A class does not exist.
    UnknownClass(String),
    /// The text after `=` is not a number of 32 bits.
    NotANumber(String),
    /// A class is given twice.
    Twice(String),
}

impl fmt::Display for ShiftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber(pair) => {
                write!(f, "`{pair}` has no `=`; write it like srv=1000,uav=2000")
            }
            Self::UnknownClass(class) => write!(
                f,
                "unknown class `{class}`; the classes are cbv, srv, uav, sampler and counter"
            ),
            Self::NotANumber(text) => {
                write!(f, "`{text}` is not a number from 0 to {}", u32::MAX)
            }
            Self::Twice(class) => write!(f, "`{class}` is given twice"),
        }
    }
}

impl std::error::Error for ShiftError {}

impl FromStr for Shifts {
    type Err = ShiftError;

    /// Parses comma-separated `CLASS=N` pairs.
    fn from_str(text: &str) -> Result<Self, ShiftError> {
        let mut shifts = Self::default();
        for pair in text.split(',') {
            let (class, number) = pair
                .split_once('=')
                .ok_or_else(|| ShiftError::NoNumber(pair.to_owned()))?;
            let shift = match class {
                "cbv" => &mut shifts.cbv,
                "srv" => &mut shifts.srv,
                "uav" => &mut shifts.uav,
                "sampler" => &mut shifts.sampler,
                "counter" => &mut shifts.counter,
                _ => return Err(ShiftError::UnknownClass(class.to_owned())),
            };
            let number = number
                .parse()
                .map_err(|_| ShiftError::NotANumber(number.to_owned()))?;
            if shift.replace(number).is_some() {
                return Err(ShiftError::Twice(class.to_owned()));
            }
        }
        Ok(shifts)
    }
}

#[cfg(test)]
mod tests {
    use trellis_dxil::bindings::DefaultBindings;

    use super::Shifts;

    #[test]
    fn named_classes_change_and_others_stay() {
        let shifts: Shifts = "srv=0,counter=7".parse().unwrap();
        assert_eq!(
            shifts.apply(DefaultBindings::default()),
            DefaultBindings {
                srv: 0,
                counter: 7,
                ..DefaultBindings::default()
            }
        );
    }

    #[test]
    fn invalid_shifts_are_rejected() {
        for (text, message) in [
            ("", "`` has no `=`; write it like srv=1000,uav=2000"),
            ("srv", "`srv` has no `=`; write it like srv=1000,uav=2000"),
            ("srv=1,", "`` has no `=`; write it like srv=1000,uav=2000"),
            (
                "tex=1",
                "unknown class `tex`; the classes are cbv, srv, uav, sampler and counter",
            ),
            ("srv=-1", "`-1` is not a number from 0 to 4294967295"),
            (
                "srv=4294967296",
                "`4294967296` is not a number from 0 to 4294967295",
            ),
            ("srv=1,srv=2", "`srv` is given twice"),
        ] {
            let error = text.parse::<Shifts>().unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}
