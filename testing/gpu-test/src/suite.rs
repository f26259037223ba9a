//! All tests of a folder: found and run on threads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use trellis_spirv_backend::MeshOutputs;
use trellis_spirv_backend::bindings::{BindingFile, DefaultBindings};
use trellis_spirv_backend::reflect::Reflection;

use crate::case::{Case, Reference, TestFile};
use crate::compare::differences;
use crate::execute::{self, NotRun, Observed};
use crate::spirv_module::{self, SpirvModule};
use crate::table::{Row, Table, Verdict};
use crate::vulkan::{self, Device};
use crate::{generate, graph, interpret, mesh, reference};

/// Options of a run: the tests, and the device.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder with the shaders; test files anywhere in it.
    pub folder: PathBuf,
    /// Folder with FXC's DXBC of the same shaders, under the same names: their tests run it, too.
    pub dxbc: Option<PathBuf>,
    /// Part of the name of the device; `None`: lavapipe, or the first.
    pub device: Option<String>,
    /// Switch the validation layer on, if it is installed.
    pub validation: bool,
    /// Threads, each with its own device.
    pub jobs: usize,
    /// Only tests whose path contains one of these; all if there is none.
    pub only: Vec<String>,
    /// Also run the references: DXC's SPIR-V and the interpreter.
    pub references: bool,
    /// Write the expected contents again, where the references agree with the device.
    pub bless: bool,
    /// Run this test only, one of [`alone`]; `None` skips all of these.
    pub alone: Option<String>,
}

/// Returns the test files in a folder, as the shaders' paths without `.run.json`, sorted.
///
/// # Errors
/// A folder cannot be read.
pub fn find(folder: &Path, only: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry
                .map_err(|error| format!("{}: {error}", folder.display()))?
                .path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(stem) = path.to_str().and_then(|p| p.strip_suffix(".run.json")) {
                found.push(PathBuf::from(stem));
            }
        }
    }
    found.retain(|path| {
        only.is_empty()
            || only
                .iter()
                .any(|part| path.to_string_lossy().contains(part.as_str()))
    });
    found.sort();
    Ok(found)
}

/// Bytes of the stack of a thread.
const STACK: usize = 64 << 20;

/// Runs the tests of a folder.
///
/// # Errors
/// No device, or the folder cannot be read. A failure of a test is in its row.
pub fn run(options: &Options) -> Result<Table, SuiteError> {
    let mut tests = find(&options.folder, &options.only).map_err(SuiteError::Folder)?;
    tests.retain(|test| match &options.alone {
        Some(name) => relative(options, test) == *name,
        None => !is_alone(test),
    });
    let (first, validated) = Device::open(options.device.as_deref(), options.validation)?;
    let device = first.info.name.clone();
    drop(first);
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let worker = || -> Result<(), vulkan::Error> {
        let mut device = Device::open(options.device.as_deref(), options.validation)?.0;
        while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let done = run_test(&mut device, options, test)?;
            if let Ok(mut rows) = rows.lock() {
                rows.extend(done);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        // Software drivers compile on the caller's thread, by recursion over the shader.
        let spawn = |_| {
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker)
        };
        let workers: Vec<_> = (0..options.jobs.clamp(1, tests.len().max(1)))
            .map(spawn)
            .collect::<Result<_, _>>()
            .map_err(|error| vulkan::Error::Job(error.to_string()))?;
        workers.into_iter().try_for_each(|w| {
            w.join().unwrap_or_else(|_| {
                Err(vulkan::Error::Job(
                    "a thread of the tests panicked".to_owned(),
                ))
            })
        })
    })?;
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by(|a: &Row, b: &Row| a.name.cmp(&b.name));
    Ok(Table {
        device,
        validated,
        rows,
    })
}

/// Returns the tests of a folder that require a separate process ([`TestFile::alone`]),
/// relative to it. The caller starts one for each.
///
/// # Errors
/// The folder cannot be read.
pub fn alone(options: &Options) -> Result<Vec<String>, SuiteError> {
    let mut tests = find(&options.folder, &options.only).map_err(SuiteError::Folder)?;
    tests.retain(|test| is_alone(test));
    Ok(tests.iter().map(|test| relative(options, test)).collect())
}

fn relative(options: &Options, test: &Path) -> String {
    test.strip_prefix(&options.folder)
        .unwrap_or(test)
        .display()
        .to_string()
}

/// Returns whether a test needs a separate process. An error in a file is reported when its test
/// runs.
fn is_alone(test: &Path) -> bool {
    let text = std::fs::read_to_string(with_suffix(test, ".run.json"));
    text.is_ok_and(|text| TestFile::from_json(&text).is_ok_and(|file| file.alone))
}

/// Why no test ran.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The folder.
    #[error("{0}")]
    Folder(String),
    /// The device.
    #[error(transparent)]
    Device(#[from] vulkan::Error),
}

/// Runs the cases of one test, also with the DXBC of its shader.
fn run_test(
    device: &mut Device,
    options: &Options,
    test: &Path,
) -> Result<Vec<Row>, vulkan::Error> {
    let name = relative(options, test);
    let mut rows = run_form(device, options, &name, test, &dxil_path)?;
    let dxbc = |test: &Path| {
        let folder = options.dxbc.as_ref()?;
        let path = with_suffix(&folder.join(relative(options, test)), ".dxbc");
        path.exists().then_some(path)
    };
    if dxbc(test).is_some() {
        let options = Options {
            bless: false,
            ..options.clone()
        };
        let path = |test: &Path| dxbc(test).unwrap_or_else(|| dxil_path(test));
        let name = format!("{name}.dxbc");
        rows.extend(run_form(device, &options, &name, test, &path)?);
    }
    Ok(rows)
}

/// Runs the cases of one test with the shaders in the files that `path` returns. A device on which
/// a shader did not end is replaced.
fn run_form(
    device: &mut Device,
    options: &Options,
    name: &str,
    test: &Path,
    path: &dyn Fn(&Path) -> PathBuf,
) -> Result<Vec<Row>, vulkan::Error> {
    let start = Instant::now();
    let problem = |problem| Row::problem(name.to_owned(), problem, start.elapsed());
    let mut loaded = match Loaded::read_with(test, path) {
        Ok(loaded) => loaded,
        Err(error) => return Ok(vec![problem(error)]),
    };
    let mut rows = Vec::new();
    let mut cases = loaded.file.cases.clone();
    for case in &mut cases {
        let start = Instant::now();
        let [ours, dxc, interpreter] = if options.bless {
            bless(device, &loaded, case)
        } else {
            run_case(device, options, &loaded, case)
        };
        rows.push(Row {
            name: format!("{name}: {}", case.name),
            ours,
            dxc,
            interpreter,
            time: start.elapsed(),
        });
        if device.is_lost() {
            *device = Device::open(options.device.as_deref(), options.validation)?.0;
        }
    }
    if cases != loaded.file.cases {
        loaded.file.cases = cases;
        if let Err(error) = std::fs::write(with_suffix(test, ".run.json"), loaded.file.to_json()) {
            rows.push(problem(error.to_string()));
        }
    }
    Ok(rows)
}

/// Returns the file with the DXIL of a test.
pub fn dxil_path(test: &Path) -> PathBuf {
    with_suffix(test, ".dxil")
}

/// Writes the contents after the converted shader's run into the case, if the references agree.
fn bless(device: &Device, loaded: &Loaded, case: &mut Case) -> [Verdict; 3] {
    let omitted = |ours| {
        [
            ours,
            Verdict::NotRun("nothing to bless".to_owned()),
            Verdict::NotRun("nothing to bless".to_owned()),
        ]
    };
    let observed = match loaded.run(device, case) {
        Ok(observed) => observed,
        Err(why) => return omitted(not_run(why)),
    };
    let mut blessed = case.clone();
    if let Err(problem) = generate::bless(&mut blessed, &observed) {
        return omitted(Verdict::Differs(vec![problem]));
    }
    let verdicts = [
        Verdict::of(observed.messages),
        of_dxc(device, loaded, &blessed),
        of_interpreter(loaded, &blessed),
    ];
    if !verdicts.iter().any(Verdict::differs) {
        *case = blessed;
    }
    verdicts
}

/// A test with everything that belongs to it.
pub struct Loaded {
    /// The test file.
    pub file: TestFile,
    /// The shader, DXIL or DXBC.
    pub dxil: Vec<u8>,
    /// The shader as Trellis converts it; of libraries each entry point.
    pub ours: Vec<SpirvModule>,
    /// DXC's SPIR-V of the shader, if there is a file of it; for a library, of each entry point.
    pub dxc: Vec<SpirvModule>,
    /// The nodes of a work graph among them.
    pub nodes: Vec<graph::Node>,
    /// Further shaders that draws name, with the SPIR-V of Trellis and of DXC.
    pub stages: BTreeMap<String, (SpirvModule, Option<SpirvModule>)>,
}

impl Loaded {
    /// Reads `TEST.run.json`, `TEST.dxil` and, if it exists, `TEST.dxc.spv`.
    ///
    /// # Errors
    /// A file cannot be read, or the shader not be converted.
    pub fn read(test: &Path) -> Result<Self, String> {
        Self::read_with(test, &dxil_path)
    }

    /// As [`Self::read`], with the shaders in the files that `shader` returns.
    fn read_with(test: &Path, shader: &dyn Fn(&Path) -> PathBuf) -> Result<Self, String> {
        let path = with_suffix(test, ".run.json");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let file = TestFile::from_json(&text)?;
        let (dxil, mut ours) = convert_all_with(test, &shader(test), None)?;
        let nodes = match file.cases.iter().any(|case| case.graph.is_some()) {
            true => graph::nodes(&reflect(test, &dxil)?),
            false => Vec::new(),
        };
        let mut dxc = reference::read_all(test)?;
        let folder = test.parent().unwrap_or(test);
        let others: BTreeSet<&String> = file
            .cases
            .iter()
            .filter_map(|case| case.rays.as_ref())
            .flat_map(|rays| &rays.libraries)
            .collect();
        for other in others {
            let path = folder.join(other);
            ours.extend(convert_all(&path)?.1);
            dxc.extend(reference::read_all(&path)?);
        }
        let names = file
            .cases
            .iter()
            .filter_map(|case| case.draw.as_ref())
            .flat_map(|draw| &draw.stages);
        let outputs = mesh::outputs(&dxil);
        let stages = names
            .map(|name| Ok((name.clone(), stage(test, name, outputs.as_ref(), shader)?)))
            .collect::<Result<_, String>>()?;
        Ok(Self {
            file,
            dxil,
            ours,
            nodes,
            dxc,
            stages,
        })
    }

    /// Runs a case with Trellis' SPIR-V of the shaders.
    fn run(&self, device: &Device, case: &Case) -> Result<Observed, NotRun> {
        if case.graph.is_some() {
            return execute::run_graph(device, &self.ours, &self.nodes, case);
        }
        let others = further(case)
            .filter_map(|name| self.stages.get(name))
            .map(|(ours, _)| ours);
        let modules: Vec<&SpirvModule> = self.ours.iter().chain(others).collect();
        if modules.len() == self.ours.len() {
            execute::run_all(device, &self.ours, case)
        } else {
            execute::run_stages(device, &modules, case)
        }
    }

    /// Runs a case with DXC's SPIR-V of the shaders; `None` if one has none.
    fn run_theirs(&self, device: &Device, case: &Case) -> Option<Result<Observed, NotRun>> {
        if self.dxc.is_empty() || case.without.contains_key(&Reference::Dxc) {
            return None;
        }
        let others = further(case)
            .map(|name| self.stages.get(name)?.1.as_ref())
            .collect::<Option<Vec<_>>>()?;
        if others.is_empty() {
            return Some(execute::run_all(device, &self.dxc, case));
        }
        let modules: Vec<&SpirvModule> = self.dxc.iter().chain(others).collect();
        Some(run_linked(device, &modules, case))
    }
}

/// Runs modules that were translated apart.
///
/// # Errors
/// As [`execute::run_stages`]; or a pixel shader does not match its mesh shader.
pub fn run_linked(
    device: &Device,
    modules: &[&SpirvModule],
    case: &Case,
) -> Result<Observed, NotRun> {
    let linked = mesh::linked(modules).map_err(NotRun::Failed)?;
    execute::run_stages(
        device,
        &linked.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
        case,
    )
}

/// Further shaders of a draw.
fn further(case: &Case) -> impl Iterator<Item = &String> {
    case.draw.iter().flat_map(|draw| &draw.stages)
}

/// Reads and converts a further shader of a draw: `name` is a file in the folder of the test, whose
/// shader is in the file that `shader` returns.
///
/// # Errors
/// There is no `.dxil` file, or it cannot be converted.
pub fn stage(
    test: &Path,
    name: &str,
    mesh: Option<&Arc<MeshOutputs>>,
    shader: &dyn Fn(&Path) -> PathBuf,
) -> Result<(SpirvModule, Option<SpirvModule>), String> {
    let stem = name
        .strip_suffix(".dxil")
        .filter(|stem| !stem.contains(['/', '\\']));
    let path = test.with_file_name(
        stem.ok_or_else(|| format!("stage `{name}`: no .dxil file of the folder"))?,
    );
    Ok((
        only(convert_all_with(&path, &shader(&path), mesh)?)?.1,
        reference::read(&path)?,
    ))
}

/// Reads and converts `TEST.dxil`.
///
/// # Errors
/// The file cannot be read, or not be converted.
pub fn convert(test: &Path) -> Result<(Vec<u8>, SpirvModule), String> {
    only(convert_all(test)?)
}

fn only((dxil, mut all): (Vec<u8>, Vec<SpirvModule>)) -> Result<(Vec<u8>, SpirvModule), String> {
    if all.len() > 1 {
        Err(format!("{} entry points, expected one", all.len()))
    } else {
        all.pop()
            .map(|only| (dxil, only))
            .ok_or_else(|| "no entry point".to_owned())
    }
}

/// Reads and converts all entry points of `TEST.dxil`.
///
/// # Errors
/// The file cannot be read, or an entry point not be converted.
pub fn convert_all(test: &Path) -> Result<(Vec<u8>, Vec<SpirvModule>), String> {
    convert_all_with(test, &dxil_path(test), None)
}

/// Reads and converts all entry points of a file with the options of a test.
fn convert_all_with(
    test: &Path,
    path: &Path,
    mesh: Option<&Arc<MeshOutputs>>,
) -> Result<(Vec<u8>, Vec<SpirvModule>), String> {
    let dxil = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let fail = |error| format!("conversion: {error}");
    let mut all = Vec::new();
    let options = options(test)?.with_mesh(mesh.cloned());
    for output in trellis_spirv_backend::convert_all(&dxil, &options).map_err(fail)? {
        all.push(spirv_module::read(&output.map_err(fail)?.words)?);
    }
    Ok((dxil, all))
}

fn reflect(test: &Path, dxil: &[u8]) -> Result<Reflection, String> {
    let options = options(test)?;
    trellis_spirv_backend::reflect(dxil, &options).map_err(|error| error.to_string())
}

/// Returns the conversion options of a test: those in `TEST.options.json`, with the binding file
/// `TEST.bindings.json`, if these exist.
fn options(test: &Path) -> Result<trellis_spirv_backend::Options, String> {
    let mut options = trellis_spirv_backend::Options::default();
    let path = with_suffix(test, ".options.json");
    if path.exists() {
        let fail = |error: String| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| fail(error.to_string()))?;
        options = serde_json::from_str(&text).map_err(|error| fail(error.to_string()))?;
    }
    let path = with_suffix(test, ".bindings.json");
    if path.exists() {
        let fail = |error: String| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| fail(error.to_string()))?;
        options.bindings = Arc::new(
            BindingFile::parse(&text, DefaultBindings::default())
                .map_err(|error| fail(error.to_string()))?,
        );
    }
    // It is not run, and needs an extension before Vulkan 1.3.
    options.debug.debug_info = false;
    Ok(options)
}

/// Returns the path of a file that belongs to a test.
pub fn with_suffix(test: &Path, suffix: &str) -> PathBuf {
    let mut name = test.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Compares the results of the converted shader, of DXC's SPIR-V and of the interpreter with the
/// file's expectations.
fn run_case(device: &Device, options: &Options, loaded: &Loaded, case: &Case) -> [Verdict; 3] {
    let ours = loaded
        .run(device, case)
        .map_or_else(not_run, |observed| against(case, observed));
    if options.references {
        return [
            ours,
            of_dxc(device, loaded, case),
            of_interpreter(loaded, case),
        ];
    }
    let omitted = || Verdict::NotRun("references are not run".to_owned());
    [ours, omitted(), omitted()]
}

/// Compares the results of a module with the file's expectations; messages of the validation layer
/// are differences, too.
fn against(case: &Case, observed: Observed) -> Verdict {
    let mut problems = differences(case, &observed);
    problems.extend(observed.messages);
    Verdict::of(problems)
}

fn not_run(why: NotRun) -> Verdict {
    match why {
        NotRun::Skipped(what) => Verdict::NotRun(what),
        NotRun::Failed(what) => Verdict::Differs(vec![what]),
    }
}

/// DXC's SPIR-V. The validation layer's messages about it are DXC's affair.
fn of_dxc(device: &Device, loaded: &Loaded, case: &Case) -> Verdict {
    if let Some(reason) = case.without.get(&Reference::Dxc) {
        return Verdict::NotRun(reason.clone());
    }
    if device.is_lost() {
        return Verdict::NotRun("the device is lost".to_owned());
    }
    match loaded.run_theirs(device, case) {
        Some(Ok(observed)) => Verdict::of(differences(case, &observed)),
        Some(Err(why)) => not_run(why),
        None => Verdict::NotRun("it is not there".to_owned()),
    }
}

/// Runs the interpreter, which needs no device.
fn of_interpreter(loaded: &Loaded, case: &Case) -> Verdict {
    if let Some(reason) = case.without.get(&Reference::Interpreter) {
        return Verdict::NotRun(reason.clone());
    }
    let result = match (&case.dispatch, &case.graph) {
        (Some(dispatch), _) => interpret::run(&loaded.dxil, dispatch, case.wave()),
        (None, Some(graph)) => interpret::graph(&loaded.dxil, case, graph),
        (None, None) => {
            return Verdict::NotRun("it runs compute shaders and work graphs only".to_owned());
        }
    };
    match result {
        Ok((_, outside)) if outside > 0 => Verdict::Differs(vec![format!(
            "{outside} accesses out of bounds: a device may do anything then"
        )]),
        Ok((observed, _)) => Verdict::of(differences(case, &observed)),
        Err(what) => Verdict::Differs(vec![what.to_string()]),
    }
}
