//! Sixteen threads share options and convert at once, and get the same words.

use c_testkit::threads_get_the_same_words;

use crate::common::{Converter, Options, Shader};

#[test]
fn threads_convert_at_once() {
    let options = Options::new();
    options.set("debug.names", "false").unwrap();
    threads_get_the_same_words(|bytes, round| {
        let shader = Shader::load(bytes).unwrap();
        let module = if round % 2 == 0 {
            Converter::new(Some(&options)).convert(&shader, None)
        } else {
            shader.convert(Some(&options), None)
        };
        module.unwrap().words().to_vec()
    });
}

#[test]
fn objects_may_be_freed_by_another_thread() {
    let shader = Shader::of_corpus("buffers/counters.dxil");
    let module = std::thread::spawn(move || shader.convert(None, None).unwrap());
    let module = module.join().unwrap();
    assert_eq!(module.words().first(), Some(&0x0723_0203));
}
