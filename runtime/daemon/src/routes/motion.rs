//! Uploaded files of motions: made choreographies for the robot of this server. Called by `push`.
//! A file is read by a process of its own, in the queue of checks, and only for so long; what is
//! wrong in it is told with line, column and what to do, and then nothing is stored.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use protocol::choreographies::PushQuery;
use protocol::{ErrorCode, RequestError, why_unchecked};
use serde::Deserialize;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

use crate::access::Principal;
use crate::app::App;
use crate::store::{CHOREOGRAPHY_MAX, StoreError};

/// How long a file may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The longest name of a file, bytes.
const FILE_NAME_MAX: usize = 255;

/// What the process may tell, bytes.
const TOLD_MAX: u64 = 64 << 10;

/// What was made of a file.
#[derive(Debug)]
pub(super) struct CompiledMotion {
    /// The choreography.
    pub(super) bytes: Vec<u8>,
    /// What was tolerated in the file.
    pub(super) remarks: Vec<String>,
}

/// What the process tells of a file that it has compiled.
#[derive(Debug, Default, Deserialize)]
struct ToldRemarks {
    remarks: Vec<String>,
}

/// Refuses what cannot be the name of a file, or an argument of the process.
pub(super) fn require_file_name(query: &PushQuery) -> Result<(), RequestError> {
    let Some(file) = &query.file else {
        return Ok(());
    };
    let is_name = (1..=FILE_NAME_MAX).contains(&file.len())
        && !file.chars().any(|c| c == '/' || c.is_control());
    if !is_name {
        let error = ErrorCode::InvalidName.error("`file` is not the name of a file");
        return Err(error.fix("send the name alone, without its folders: `file=wave.motion`"));
    }
    let others = query.map.iter().chain(&query.motion);
    if others.into_iter().any(|item| item.contains('\0')) {
        let error = ErrorCode::InvalidRequest.error("there is a zero byte in the query");
        return Err(error.fix("send `map` and `motion` as texts"));
    }
    Ok(())
}

/// Makes a choreography of the file at this path.
pub(super) async fn compiled(
    app: &App,
    who: Option<&Principal>,
    path: &Path,
    (file, query): (&str, &PushQuery),
) -> Result<CompiledMotion, RequestError> {
    let began = Instant::now();
    let result = compile(app, who, path, (file, query)).await;
    let took_ms = began.elapsed().as_millis();
    match &result {
        Ok(result) => tracing::info!(
            bytes = result.bytes.len(),
            took_ms,
            "the motion was compiled"
        ),
        Err(why) => tracing::warn!(took_ms, code = why.code, "it could not be compiled"),
    }
    result
}

async fn compile(
    app: &App,
    who: Option<&Principal>,
    path: &Path,
    (file, query): (&str, &PushQuery),
) -> Result<CompiledMotion, RequestError> {
    let _turn = app.checks.turn(who).await?;
    let mut command = Command::new(&app.program);
    command
        .arg("compile-upload")
        .arg(path)
        .args(["--json", "--log=off"])
        // With `=`, because names may begin with `-`.
        .arg(format!("--named={file}"))
        .arg(format!("--robot={}", app.description))
        .args(query.map.iter().map(|map| format!("--map-text={map}")))
        .args(
            query
                .motion
                .iter()
                .map(|motion| format!("--motion={motion}")),
        )
        .args(query.mirror.then_some("--mirror"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let child = command.spawn().map_err(|error| {
        let sentence = format!("the process that reads it could not be started: {error}");
        let fix = "check that the robot's `dcm-run` has not been moved";
        ErrorCode::InternalError.error(sentence).fix(fix)
    })?;
    let done = tokio::time::timeout(TIMEOUT, read(child)).await;
    let done = done.map_err(|_| {
        let sentence = format!("`{file}` took longer than {} s", TIMEOUT.as_secs());
        too_much(sentence)
    })?;
    let (code, bytes, said) = done.map_err(|error| StoreError::from(error).error())?;
    match code {
        Some(0) if bytes.len() as u64 > CHOREOGRAPHY_MAX => {
            Err(StoreError::Large(CHOREOGRAPHY_MAX).error())
        }
        Some(0) => {
            let told: ToldRemarks = serde_json::from_slice(&said).unwrap_or_default();
            let remarks = told.remarks;
            Ok(CompiledMotion { bytes, remarks })
        }
        Some(_) => Err(refusal(&said)),
        // It was killed, or had no more memory.
        None => Err(too_much(format!("`{file}` needs too much memory"))),
    }
}

/// What the process writes, and its exit code.
async fn read(mut child: Child) -> std::io::Result<(Option<i32>, Vec<u8>, Vec<u8>)> {
    let (out, told) = (child.stdout.take(), child.stderr.take());
    let (mut bytes, mut said) = (Vec::new(), Vec::new());
    let reading = async {
        if let Some(out) = out {
            out.take(CHOREOGRAPHY_MAX + 1)
                .read_to_end(&mut bytes)
                .await?;
        }
        Ok::<_, std::io::Error>(())
    };
    let hearing = async {
        if let Some(told) = told {
            told.take(TOLD_MAX).read_to_end(&mut said).await?;
        }
        Ok::<_, std::io::Error>(())
    };
    tokio::try_join!(reading, hearing)?;
    let status = child.wait().await?;
    Ok((status.code(), bytes, said))
}

/// The mistakes in a file, as the process has told them.
fn refusal(said: &[u8]) -> RequestError {
    let (sentence, fix) = why_unchecked(said);
    match fix {
        Some(fix) if !fix.contains('\n') => ErrorCode::BadMotion.error(sentence).fix(fix),
        // Of several mistakes, each has its own.
        Some(fix) => mistakes(format!("{sentence}; fix: {fix}")),
        None => mistakes(sentence),
    }
}

fn mistakes(sentence: String) -> RequestError {
    let fix = "correct the file, or map its joints to those of the robot, and send it again";
    ErrorCode::BadMotion.error(sentence).fix(fix)
}

fn too_much(sentence: String) -> RequestError {
    let fix = "divide it; or compile it where there is room, `dcm-run compile FILE`, and push that";
    ErrorCode::BadMotion.error(sentence).fix(fix)
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn each_of_several_mistakes_keeps_its_fix() {
        let told =
            |error: &str| refusal(serde_json::json!({ "error": error }).to_string().as_bytes());
        let one = told("a.csv:\nline 2, column 1: wrong; fix: right");
        assert_eq!(
            (one.sentence.as_str(), one.fix.as_deref()),
            ("a.csv:\nline 2, column 1: wrong", Some("right"))
        );
        let several =
            "a.csv:\nline 2, column 1: wrong; fix: right\nline 3, column 1: odd; fix: even";
        let told = told(several);
        assert_eq!(told.sentence, several);
        assert!(told.fix.is_some_and(|text| text.starts_with("correct")));
    }
}
