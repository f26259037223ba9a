//! Metadata of nodes of work graphs: as compilers write it, and as no compiler would.

use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::metadata::{MdId, MdNode};
use trellis_dxil_frontend::module::{ConstId, PoolRange, ValueData, ValueId, ValueKind};
use trellis_dxil_frontend::module::{Constant, ConstantData, Module, Type, TypeId};
use trellis_dxil_frontend::shader::{
    ComponentType, DispatchGrid, EntryPoint, NodeId, NodeIoFlags, NodeLaunch, NodeProperties,
    Shader, UNBOUNDED,
};

macro_rules! library {
    ($name:literal) => {
        include_bytes!(concat!(
            "../../../corpus/shaders/work_graphs/",
            $name,
            ".dxil"
        ))
    };
}

fn read(bytes: &'static [u8]) -> Input<'static> {
    trellis_dxil_frontend::read(bytes).unwrap()
}

fn node<'a>(shader: &'a Shader, name: &str) -> (&'a EntryPoint, &'a NodeProperties) {
    let entry = shader.shader_named(name).unwrap();
    (entry, entry.properties.node.as_deref().unwrap())
}

fn id(name: &str, index: u32) -> NodeId {
    NodeId {
        name: name.into(),
        index,
    }
}

#[test]
fn broadcasting_nodes_and_their_grids() {
    let input = read(library!("broadcasting"));
    let (entry, fixed) = node(&input.shader, "FixedGrid");
    assert_eq!(entry.properties.num_threads, Some([4, 1, 1]));
    assert_eq!(fixed.launch, NodeLaunch::Broadcasting);
    assert_eq!(fixed.dispatch_grid, Some([3, 2, 1]));
    assert_eq!(fixed.max_dispatch_grid, None);
    assert_eq!(fixed.id, Some(id("FixedGrid", 0)));
    assert_eq!(fixed.local_root_arguments, None);
    let record = fixed.input_record().unwrap();
    assert_eq!((record.size, record.alignment, record.grid), (4, 4, None));

    let (_, plane) = node(&input.shader, "PlaneGrid");
    assert_eq!(plane.max_dispatch_grid, Some([4, 4, 1]));
    let grid = DispatchGrid {
        offset: 0,
        component: ComponentType::U32,
        components: 2,
    };
    assert_eq!(plane.input_record().unwrap().grid, Some(grid));
    let (_, space) = node(&input.shader, "SpaceGrid");
    let grid = space.input_record().unwrap().grid.unwrap();
    assert_eq!((grid.offset, grid.components), (4, 3));
}

#[test]
fn arrays_of_outputs() {
    let input = read(library!("output_array"));
    let (_, spread) = node(&input.shader, "Spread");
    let [sinks, bells, gaps] = &spread.outputs[..] else {
        panic!("{:?}", spread.outputs)
    };
    assert_eq!((&sinks.id, sinks.array_size), (&id("Sink", 0), Some(3)));
    assert_eq!((sinks.max_records, sinks.allows_sparse), (Some(16), false));
    assert_eq!(sinks.record().unwrap().size, 4);
    assert!(bells.flags.has(NodeIoFlags::EMPTY) && bells.record().is_none());
    assert_eq!((gaps.array_size, gaps.allows_sparse), (Some(4), true));
    let (_, gap) = node(&input.shader, "Gap3");
    assert_eq!(
        (gap.launch, &gap.id),
        (NodeLaunch::Thread, &Some(id("Gap", 3)))
    );
    let (_, bell) = node(&input.shader, "Bell1");
    assert_eq!(bell.launch, NodeLaunch::Coalescing);
    assert_eq!(bell.inputs[0].max_records, Some(4));
}

#[test]
fn recursion_sharing_and_entries() {
    let input = read(library!("recursion"));
    let (_, walk) = node(&input.shader, "Walk");
    assert_eq!(walk.max_recursion_depth, 4);
    assert_eq!(walk.outputs[0].id, id("Walk", 0));
    let input = read(library!("shared_input"));
    assert!(node(&input.shader, "Begin").1.is_program_entry);
    assert_eq!(
        node(&input.shader, "Tap").1.share_input_of,
        Some(id("Main", 0))
    );
    let input = read(library!("cross_group_sharing"));
    let flags = node(&input.shader, "Work").1.inputs[0].flags;
    for flag in [
        NodeIoFlags::INPUT,
        NodeIoFlags::READ_WRITE,
        NodeIoFlags::TRACKS_SHARING,
        NodeIoFlags::GLOBALLY_COHERENT,
    ] {
        assert!(flags.has(flag), "{flag} in {flags:?}");
    }
}

/// Metadata under construction.
pub(crate) struct Writer {
    pub(crate) module: Module,
    int: TypeId,
}

impl Writer {
    fn new() -> Self {
        Self::of(*read(library!("recursion")).module)
    }
    pub(crate) fn of(module: Module) -> Self {
        let int = module.types.position(|t| *t == Type::Int(32)).unwrap();
        Self { module, int }
    }
    pub(crate) fn int(&mut self, v: u64) -> u32 {
        let (m, ty) = (&mut self.module, self.int);
        let value = ValueId::from_u32(m.values.len() as u32);
        let constant = ConstId::from_u32(m.constants.len() as u32);
        m.values.push(ValueData {
            ty,
            kind: ValueKind::Constant(constant),
        });
        m.constants.push(ConstantData {
            ty,
            value: Constant::Int(v),
        });
        m.metadata.nodes.push(MdNode::Value { ty, value });
        m.metadata.nodes.len() as u32
    }
    pub(crate) fn tuple(&mut self, operands: &[u32]) -> u32 {
        let m = &mut self.module;
        let start = m.metadata.operands.len() as u32;
        m.metadata.operands.extend(operands);
        let end = start + operands.len() as u32;
        m.metadata.nodes.push(MdNode::Node {
            distinct: false,
            operands: PoolRange { start, end },
        });
        m.metadata.nodes.len() as u32
    }
    fn ints(&mut self, numbers: &[u64]) -> u32 {
        let operands: Vec<u32> = numbers.iter().map(|&n| self.int(n)).collect();
        self.tuple(&operands)
    }
    /// Replaces the properties of the first shader by tags and values, and reads them.
    fn read(&mut self, pairs: &[(u64, u32)]) -> Result<NodeProperties, String> {
        let mut list = Vec::new();
        for &(tag, value) in [(8, self.int(15)), (13, self.int(1))].iter().chain(pairs) {
            list.extend([self.int(tag), value]);
        }
        let list = self.tuple(&list);
        let entry: MdId = self.module.metadata.named("dx.entryPoints").unwrap()[1];
        let MdNode::Node { operands, .. } = self.module.metadata.nodes[entry] else {
            panic!("a tuple")
        };
        self.module.metadata.operands[operands.start as usize + 4] = list;
        let shader = Shader::read(&self.module, None).map_err(|error| error.to_string())?;
        Ok(*shader.entry_points[1].properties.node.clone().unwrap())
    }
}

#[test]
fn malformed_nodes_are_named() {
    let mut w = Writer::new();
    let empty = w.tuple(&[]);
    for (tag, value, message) in [
        (15, empty, "node id (entry"),
        (18, empty, "expected 3"),
        (20, w.int(7), "expected a tuple"),
        (17, w.int(7), "expected a tuple"),
        (21, 0, "node outputs"),
    ] {
        let error = w.read(&[(tag, value)]).unwrap_err();
        assert!(error.contains(message), "{tag}: {error}");
    }
    // An input whose record has a grid of another type or of five components.
    for (component, components) in [(9, 1), (5, 5), (5, 0), (u64::MAX, 1)] {
        let grid = w.ints(&[0, component, components]);
        let (tag, key) = (w.int(1), w.int(2));
        let record = w.tuple(&[tag, grid]);
        let input = w.tuple(&[key, record]);
        let inputs = w.tuple(&[input]);
        let error = w.read(&[(20, inputs)]).unwrap_err();
        assert!(error.contains("component"), "{error}");
    }
}

#[test]
fn hostile_nodes_are_bounded() {
    let mut w = Writer::new();
    // Many outputs that name one long list, and the list of outputs many times.
    let tag = w.int(3);
    let number = w.int(u64::from(u32::MAX));
    let long: Vec<u32> = [tag, number].repeat(10_000);
    let output = w.tuple(&long);
    let outputs = w.tuple(&[output].repeat(10_000));
    let started = std::time::Instant::now();
    let node = w.read(&[(21, outputs); 1000]).unwrap();
    assert_eq!(node.outputs.len(), 10_000);
    assert_eq!(node.outputs[9_999].max_records, Some(u32::MAX));
    assert!(started.elapsed().as_secs() < 20);
    // Numbers of any size are kept, and so is an unknown launch type.
    let launch = w.int(77);
    let size = w.ints(&[5, u64::from(u32::MAX)]);
    let outputs = w.tuple(&[size]);
    let node = w.read(&[(13, launch), (21, outputs)]).unwrap();
    assert_eq!(node.launch, NodeLaunch::Unknown(77));
    assert_eq!(node.outputs[0].array_size, Some(UNBOUNDED));
}

#[test]
fn an_object_where_a_handle_is_expected() {
    let input = read(include_bytes!("../data/malformed/node_object.dxil"));
    let text = trellis_dxil_frontend::disasm::disassemble(&input.module, Some(&input.shader), None);
    let text = text.unwrap();
    assert!(text.contains("@dx.op.getNodeRecordPtr"), "{text}");
    assert_eq!(input.shader.shaders().count(), 0);
}
