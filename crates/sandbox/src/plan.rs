//! Prepares a launch from a spec: finds the program, the folders and the mechanisms. Everything that can fail early
//! fails here.

use crate::cgroup::Group;
use crate::enclosure::{Enclosure, Wrapper, enclose};
use crate::environment::{home, is_executable, resolve_program_in};
use crate::launch::{Launch, arguments, c_path, environment, pipe, standard_input};
use crate::limits::resource_limits;
use crate::view::View;
use crate::{ChildSpec, SandboxError, Walls};
use deputy_protocol::Confinement;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A launch, the parent's ends of its pipes, and the resources that must be kept until the command is gone.
pub(crate) struct Plan {
    pub(crate) launch: Launch,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
    pub(crate) enclosure: Enclosure,
}

/// Prepares a launch.
pub(crate) fn plan(walls: &Walls, spec: &ChildSpec) -> Result<Plan, SandboxError> {
    let program = find_program(spec)?;
    let cwd = folder(&spec.cwd)?;
    let failed = |step| {
        let program = program.clone();
        move |source| SandboxError::Start { program, step, source }
    };
    let view = View::new(spec)?;
    if spec.confinement != Confinement::Open {
        in_sight(&view, &program, &cwd, spec.confinement)?;
    }
    let mut enclosure = enclose(walls, spec, &view, &program, &cwd)?;
    let mut env = spec.environment.variables(&home());
    env.append(&mut enclosure.env);
    env.extend(spec.env.iter().cloned());

    let stdin = standard_input(&spec.stdin).map_err(failed("opening standard input"))?;
    let (stdout, stdout_end) = pipe().map_err(failed("making a pipe"))?;
    let (stderr, mut stderr_end) = pipe().map_err(failed("making a pipe"))?;
    if spec.is_merged {
        // The other end of the pipe closes, so that the separate stream is empty.
        stderr_end = stdout_end.try_clone().map_err(failed("making a pipe"))?;
    }
    let (executed, argv) = match enclosure.wrapper.take() {
        None => (program.clone(), spec.argv.clone()),
        Some(Wrapper { path, mut argv }) => {
            argv.insert(0, path.clone().into());
            argv.push(program.clone().into());
            argv.extend_from_slice(&spec.argv[1..]);
            (path, argv)
        }
    };
    let launch = Launch {
        program: c_path(&executed)?,
        is_wrapped: enclosure.status.is_some(),
        argv: arguments(&argv)?,
        envp: environment(&env)?,
        cwd: c_path(&cwd)?,
        stdio: [stdin, stdout_end, stderr_end],
        passed: std::mem::take(&mut enclosure.passed),
        limits: resource_limits(&spec.limits),
        group: Group::new(spec.limits.processes),
        network: enclosure.network.take(),
        walls: std::mem::take(&mut enclosure.walls),
    };
    Ok(Plan { launch, stdout, stderr, enclosure })
}

/// Fails early, with a clear message, if the command could only fail inside the sandbox.
fn in_sight(view: &View, program: &Path, cwd: &Path, confinement: Confinement) -> Result<(), SandboxError> {
    let real_program = program.canonicalize().unwrap_or_else(|_| program.into());
    if !view.shows(&real_program) {
        return Err(SandboxError::ProgramOutOfSight { program: program.into(), confinement });
    }
    if cwd != Path::new("/") && !view.shows(cwd) {
        return Err(SandboxError::WorkingDirectoryOutOfSight { path: cwd.into(), confinement });
    }
    Ok(())
}

/// Returns the path of the program: a name in the folders of its `PATH`, or an absolute path.
fn find_program(spec: &ChildSpec) -> Result<PathBuf, SandboxError> {
    let name = spec.argv.first().ok_or(SandboxError::EmptyCommand)?;
    let not_found = || SandboxError::ProgramNotFound { program: name.clone(), path: spec.environment.path() };
    let path = Path::new(name);
    if !path.is_absolute() {
        let found = name.to_str().and_then(|name| resolve_program_in(&spec.environment.path(), name));
        return found.ok_or_else(not_found);
    }
    let not_executable = |source| SandboxError::NotExecutable { program: path.into(), source };
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(not_found()),
        Err(error) => Err(not_executable(error)),
        Ok(_) if is_executable(path) => Ok(path.into()),
        Ok(_) => Err(not_executable(io::Error::from(io::ErrorKind::PermissionDenied))),
    }
}

/// Returns the real path of an existing folder.
fn folder(path: &Path) -> Result<PathBuf, SandboxError> {
    let wrong = |source| SandboxError::WorkingDirectory { path: path.into(), source };
    let real = path.canonicalize().map_err(wrong)?;
    if !real.is_dir() {
        return Err(wrong(io::Error::from(io::ErrorKind::NotADirectory)));
    }
    Ok(real)
}
