//! Panics at the boundary.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls a function, and returns the text of its panic if it panics.
///
/// Values that the function was changing may be inconsistent then: callers keep their state outside
/// of it, or discard it.
///
/// # Errors
/// The function panics.
///
/// ```
/// assert_eq!(trellis_c_support::catch(|| 1), Ok(1));
/// ```
pub fn catch<R>(call: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        let text = text(&*payload);
        // Dropping the payload may panic, too.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
        text
    })
}

/// Returns the text of a panic.
fn text(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a text".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::catch;

    #[test]
    fn panics_have_texts() {
        assert_eq!(catch(|| panic!("one")), Err::<(), _>("one".to_owned()));
        let number = 2;
        assert_eq!(
            catch(|| panic!("number {number}")),
            Err::<(), _>("number 2".to_owned())
        );
        assert!(catch(|| panic_any(3)).is_err());
    }

    #[test]
    fn a_payload_that_panics_when_dropped_is_caught() {
        struct Bad;
        impl Drop for Bad {
            fn drop(&mut self) {
                panic!("again");
            }
        }
        assert!(catch(|| panic_any(Bad)).is_err());
    }
}
