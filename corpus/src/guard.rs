//! Work that may not panic, and what happens if it does: it becomes a failure of its shader.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::{Failure, Kind};

thread_local! {
    /// Is this thread inside [`guarded`]?
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// Does the work and turns a panic in it into a failure. None should ever happen; if one does, it
/// costs one shader and not the batch.
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

/// Is this thread inside [`guarded`]? A program's panic hook may then be silent, since the message
/// is in the failure.
pub fn is_active() -> bool {
    ACTIVE.get()
}

/// The message of a panic.
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
    fn a_panic_is_a_failure_with_its_message() {
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
