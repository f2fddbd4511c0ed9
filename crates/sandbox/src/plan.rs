//! From what is wanted to a launch: finds the program, the folders and the walls. Everything that can fail early fails here.

use crate::environment::{SYSTEM_PATH, clean_env, home, is_executable, resolve_program};
use crate::launch::{ChildWalls, Launch, above_stdio, arguments, c_path, environment, pipe, standard_input};
use crate::limits::resource_limits;
use crate::{ChildSpec, SandboxError, Walls};
use deputy_protocol::Confinement;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A launch, and this side's ends of its pipes.
pub(crate) struct Plan {
    pub(crate) launch: Launch,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
}

/// Makes everything ready.
pub(crate) fn plan(walls: &Walls, spec: &ChildSpec) -> Result<Plan, SandboxError> {
    let program = find_program(spec)?;
    let cwd = folder(&spec.cwd)?;
    let mut env = clean_env(&home());
    env.extend(spec.env.iter().cloned());
    let child_walls = match spec.confinement {
        Confinement::Open => ChildWalls::default(),
        confinement => {
            let why = format!("not built yet ({walls:?})");
            return Err(SandboxError::NoWalls { confinement, why });
        }
    };
    let failed = |step| {
        let program = program.clone();
        move |source| SandboxError::Start { program, step, source }
    };
    let stdin = standard_input(spec.stdin.as_deref()).map_err(failed("opening standard input"))?;
    let (stdout, stdout_end) = pipe().map_err(failed("making a pipe"))?;
    let (stderr, stderr_end) = pipe().map_err(failed("making a pipe"))?;
    let launch = Launch {
        program: c_path(&program)?,
        argv: arguments(&spec.argv)?,
        envp: environment(&env)?,
        cwd: c_path(&cwd)?,
        stdio: [above_stdio(stdin).map_err(failed("opening standard input"))?, stdout_end, stderr_end],
        passed: Vec::new(),
        limits: resource_limits(&spec.limits),
        walls: child_walls,
    };
    Ok(Plan { launch, stdout, stderr })
}

/// The program's path: a bare name from the system folders, or an absolute path.
fn find_program(spec: &ChildSpec) -> Result<PathBuf, SandboxError> {
    let name = spec.argv.first().ok_or(SandboxError::EmptyCommand)?;
    let not_found = || SandboxError::ProgramNotFound { program: name.clone(), path: SYSTEM_PATH };
    let path = Path::new(name);
    if !path.is_absolute() {
        return name.to_str().and_then(resolve_program).ok_or_else(not_found);
    }
    let not_executable = |source| SandboxError::NotExecutable { program: path.into(), source };
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(not_found()),
        Err(error) => Err(not_executable(error)),
        Ok(_) if is_executable(path) => Ok(path.into()),
        Ok(_) => Err(not_executable(io::Error::from(io::ErrorKind::PermissionDenied))),
    }
}

/// The real path of a folder that exists.
fn folder(path: &Path) -> Result<PathBuf, SandboxError> {
    let wrong = |source| SandboxError::WorkingDirectory { path: path.into(), source };
    let real = path.canonicalize().map_err(wrong)?;
    if !real.is_dir() {
        return Err(wrong(io::Error::from(io::ErrorKind::NotADirectory)));
    }
    Ok(real)
}
