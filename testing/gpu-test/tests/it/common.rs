//! What the tests share.

use gpu_test::vulkan::{Device, Error};

/// Opens the first device, with the validation layer; `None` if there is no device, which is said.
pub(crate) fn device() -> Option<Device> {
    match Device::open(None, true) {
        Ok((device, _)) => Some(device),
        Err(error @ (Error::NoLoader(_) | Error::NoDevice { .. } | Error::Call { .. })) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}
