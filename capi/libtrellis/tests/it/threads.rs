//! Sixteen threads share a shader and options, and get the same words.

use crate::common::{Converter, Options, Shader, shader};

#[test]
fn threads_get_the_same_words() {
    let names = [
        "buffers/counters.dxil",
        "control_flow/discard_in_loop.dxil",
        "cbuffers/dynamic_index.dxil",
        "tessellation/more_points.dxil",
    ];
    let options = Options::new();
    options.set("debug.names", "false").unwrap();
    let shaders = names.map(|name| Shader::load(&shader(name)).unwrap());
    let convert = |shader: &Shader| {
        let module = shader.convert(Some(&options), None).unwrap();
        module.words().to_vec()
    };
    let expected = shaders.each_ref().map(convert);
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (shaders, expected, options) = (&shaders, &expected, &options);
            scope.spawn(move || {
                let converter = Converter::new(Some(options));
                for round in 0..8 {
                    let i = (thread + round) % shaders.len();
                    let module = if round % 2 == 0 {
                        converter.convert(&shaders[i], None)
                    } else {
                        shaders[i].convert(Some(options), None)
                    };
                    assert!(module.unwrap().words() == expected[i]);
                }
            });
        }
    });
}

#[test]
fn objects_may_be_freed_by_another_thread() {
    let shader = Shader::load(&shader("buffers/counters.dxil")).unwrap();
    let module = std::thread::spawn(move || shader.convert(None, None).unwrap());
    let module = module.join().unwrap();
    assert_eq!(module.words().first(), Some(&0x0723_0203));
}
