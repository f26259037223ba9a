//! Nodes of work graphs: the interface's answers about them.

use std::ffi::CString;

use crate::common::{Blob, get, text};
use c_testkit::shader;
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;

fn index(blob: &Blob, name: &str) -> u32 {
    let name = CString::new(name).unwrap();
    let find = dxil_spv_parsed_blob_get_entry_index_by_name;
    get(|to| unsafe { find(blob.0, name.as_ptr(), to) }).unwrap()
}

fn input(blob: &Blob, name: &str) -> NodeInputData {
    let input = dxil_spv_parsed_blob_get_entry_point_node_input;
    get(|to| unsafe { input(blob.0, index(blob, name), to) }).unwrap()
}

fn output(blob: &Blob, name: &str, number: u32) -> Result<NodeOutputData, ResultCode> {
    let output = dxil_spv_parsed_blob_get_entry_point_node_output;
    get(|to| unsafe { output(blob.0, index(blob, name), number, to) })
}

fn num_outputs(blob: &Blob, name: &str) -> u32 {
    let count = dxil_spv_parsed_blob_get_entry_point_num_node_outputs;
    get(|to| unsafe { count(blob.0, index(blob, name), to) }).unwrap()
}

#[test]
fn inputs_of_nodes() {
    let blob = Blob::parse(&shader("work_graphs/cross_group_sharing.dxil")).unwrap();
    let work = input(&blob, "Work");
    assert_eq!(text(work.node_id), "Work");
    assert_eq!(work.launch_type, node_launch_type::BROADCASTING);
    assert_eq!(work.payload_stride, 20, "a word for the groups is included");
    assert_eq!(work.broadcast_grid, [64, 1, 1]);
    let is_tracked = work.node_track_rw_input_sharing;
    assert_eq!(
        (work.dispatch_grid_is_upper_bound, is_tracked),
        (TRUE, TRUE)
    );
    let (bits, components) = (work.dispatch_grid_type_bits, work.dispatch_grid_components);
    assert_eq!((work.dispatch_grid_offset, bits, components), (0, 32, 1));
    assert_eq!(work.thread_group_size_spec_id, [0, 1, 2]);
    assert_eq!(work.max_broadcast_grid_spec_id, [7, 8, 9]);
    assert_eq!(
        [
            work.is_entry_point_spec_id,
            work.is_indirect_bda_stride_program_entry_spec_id,
            work.dispatch_grid_is_upper_bound_spec_id,
            work.is_static_broadcast_node_spec_id
        ],
        [3, 4, 5, 6]
    );
    assert_eq!(work.local_root_arguments_table_index, u32::MAX);
    let begin = input(&blob, "Begin");
    assert_eq!(begin.launch_type, node_launch_type::THREAD);
    assert_eq!((begin.payload_stride, begin.broadcast_grid), (0, [0; 3]));
    assert_eq!(begin.is_static_broadcast_node_spec_id, u32::MAX);

    let blob = Blob::parse(&shader("work_graphs/coalescing.dxil")).unwrap();
    assert_eq!(input(&blob, "Collect").coalesce_factor, 5);
    let blob = Blob::parse(&shader("work_graphs/recursion.dxil")).unwrap();
    assert_eq!(input(&blob, "Walk").recursion_factor, 4);
    let blob = Blob::parse(&shader("work_graphs/shared_input.dxil")).unwrap();
    assert_eq!(text(input(&blob, "Tap").node_share_input_id), "Main");
    assert_eq!(input(&blob, "Begin").is_program_entry, TRUE);
}

#[test]
fn outputs_of_nodes() {
    let blob = Blob::parse(&shader("work_graphs/output_array.dxil")).unwrap();
    assert_eq!(num_outputs(&blob, "Spread"), 3);
    assert_eq!(num_outputs(&blob, "Gap3"), 0);
    let gap = output(&blob, "Spread", 2).unwrap();
    assert_eq!(text(gap.node_id), "Gap");
    assert_eq!((gap.node_array_size, gap.sparse_array), (4, TRUE));
    assert_eq!((gap.node_index_spec_constant_id, gap.max_records), (102, 8));
    assert_eq!(input(&blob, "Gap3").node_array_index, 3);
    for number in [3, u32::MAX] {
        assert!(output(&blob, "Spread", number).is_err());
    }
}

#[test]
fn what_is_no_node_has_no_launch_type() {
    let blob = Blob::parse(&shader("arithmetic/boolean.dxil")).unwrap();
    let data = input(&blob, "main");
    assert_eq!(data.launch_type, node_launch_type::INVALID);
    assert_eq!(num_outputs(&blob, "main"), 0);
    assert!(output(&blob, "main", 0).is_err());
}

#[test]
fn nodes_convert_as_compute_shaders() {
    let blob = Blob::parse(&shader("work_graphs/recursion.dxil")).unwrap();
    let stage =
        unsafe { dxil_spv_parsed_blob_get_shader_stage_for_entry(blob.0, c"Walk".as_ptr()) };
    assert_eq!(stage, stage::COMPUTE);
    let converter = blob.converter();
    converter.entry(c"Walk");
    assert!(converter.run().unwrap().len() > 100);
}
