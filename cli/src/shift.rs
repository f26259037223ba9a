//! The value of `--shift`.

use std::collections::BTreeMap;
use std::str::FromStr;

use trellis_dxil::bindings::DefaultBindings;

/// The shifts given on the command line, each for a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shifts(BTreeMap<String, u32>);

impl Shifts {
    /// Returns a binding model with these shifts; a class that is not named keeps its own.
    pub(crate) fn apply(&self, mut model: DefaultBindings) -> DefaultBindings {
        for (class, shift) in &self.0 {
            if let Some(of_class) = of_class(&mut model, class) {
                *of_class = *shift;
            }
        }
        model
    }
}

/// Returns the shift of a class.
fn of_class<'a>(model: &'a mut DefaultBindings, class: &str) -> Option<&'a mut u32> {
    Some(match class {
        "cbv" => &mut model.cbv,
        "srv" => &mut model.srv,
        "uav" => &mut model.uav,
        "sampler" => &mut model.sampler,
        "counter" => &mut model.counter,
        _ => return None,
    })
}

impl FromStr for Shifts {
    type Err = String;

    /// Parses comma-separated `CLASS=N` pairs.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut shifts = BTreeMap::new();
        for pair in text.split(',') {
            let no_number = || format!("`{pair}` has no `=`; write it like srv=1000,uav=2000");
            let (class, number) = pair.split_once('=').ok_or_else(no_number)?;
            if of_class(&mut DefaultBindings::default(), class).is_none() {
                let classes = "cbv, srv, uav, sampler and counter";
                return Err(format!(
                    "unknown class `{class}`; the classes are {classes}"
                ));
            }
            let not_a_number = |_| format!("`{number}` is not a number from 0 to {}", u32::MAX);
            let shift = number.parse().map_err(not_a_number)?;
            if shifts.insert(class.to_owned(), shift).is_some() {
                return Err(format!("`{class}` is given twice"));
            }
        }
        Ok(Self(shifts))
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
            assert_eq!(error, message, "{text}");
        }
    }
}
