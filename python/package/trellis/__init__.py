"""Translates Direct3D 12 shaders (DXIL, DXBC) to Vulkan SPIR-V, and structurizes control-flow graphs.

>>> import trellis
>>> print(trellis.structurize({"head": ["body", "end"], "body": ["head"], "end": []}))
// b3
loop {
    // b0 (head)
    if !test(head) { break }
} // continues with b1 (body)
// b2 (end)
return
<BLANKLINE>
"""

from ._batch import BatchReport, ShaderReport, batch
from ._convert import (
    Converter,
    EntryPoint,
    Output,
    control_flow,
    convert,
    convert_all,
    disassemble,
    entry_points,
    reflect,
    statistics,
)
from ._errors import (
    BatchError,
    BindingError,
    EntryPointError,
    Error,
    GraphError,
    InputError,
    InternalError,
    InvalidError,
    OptionError,
    ReadError,
    UnsupportedError,
)
from ._native import __version__
from ._options import OptionInfo, option_list, options
from ._structure import (
    Block,
    Node,
    Remark,
    Structure,
    StructuredBlock,
    stages,
    structurize,
    targets,
)

__all__ = [
    "BatchError",
    "BatchReport",
    "BindingError",
    "Block",
    "Converter",
    "EntryPoint",
    "EntryPointError",
    "Error",
    "GraphError",
    "InputError",
    "InternalError",
    "InvalidError",
    "Node",
    "OptionError",
    "OptionInfo",
    "Output",
    "ReadError",
    "Remark",
    "ShaderReport",
    "Structure",
    "StructuredBlock",
    "UnsupportedError",
    "__version__",
    "batch",
    "control_flow",
    "convert",
    "convert_all",
    "disassemble",
    "entry_points",
    "option_list",
    "options",
    "reflect",
    "stages",
    "statistics",
    "structurize",
    "targets",
]
