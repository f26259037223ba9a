//! Conversion of panics to failures of a shader.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::{Failure, Kind};

thread_local! {
    /// True while this thread is inside [`guarded`].
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// Calls `work` and returns a panic in it as a failure. A panic is a bug; this limits its effect
/// to one shader instead of the whole batch.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let before = ACTIVE.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    ACTIVE.set(before);
    result.unwrap_or_else(|payload| {
        Err(Failure::new(
            Kind::Panic,
            format!("the conversion panicked: {}", text_of(&*payload)),
        ))
    })
}

/// Returns true if this thread is inside [`guarded`]. A program's panic hook may then be silent,
/// since the failure contains the message.
pub fn is_active() -> bool {
    ACTIVE.get()
}

/// Returns the message of a panic.
fn text_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::{guarded, is_active};
    use crate::failure::{Failure, Kind};

    #[test]
    fn a_panic_is_returned_as_a_failure() {
        let number = 7;
        let result: Result<(), Failure> = guarded(|| {
            assert!(is_active());
            panic!("number {number}")
        });
        assert_eq!(
            result,
            Err(Failure::new(
                Kind::Panic,
                "the conversion panicked: number 7"
            ))
        );
        assert!(!is_active());
        assert_eq!(guarded(|| Ok(1)), Ok(1));
    }
}
