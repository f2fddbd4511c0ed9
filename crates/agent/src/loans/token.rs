//! The output of a person's program, lent as a file. The program's own credential store stays hidden.

use super::error::LoanError;
use super::outside::Outside;
use super::{Place, Prepared};
use deputy_policy::TokenLoan;

/// Runs the program outside the sandbox, and lends its output.
pub(super) async fn lend(
    loan: &TokenLoan,
    outside: &Outside,
    place: &Place,
    prepared: &mut Prepared,
) -> Result<(), LoanError> {
    let argv: Vec<&str> = loan.run.iter().map(String::as_str).collect();
    let program = argv.first().copied().unwrap_or_default();
    let printed = outside.printed(&argv, None).await;
    let token = printed.as_deref().map(str::trim).filter(|token| !token.is_empty());
    // A token is a single word; anything more could be parsed as settings.
    let Some(token) =
        token.filter(|token| token.chars().all(|c| c.is_ascii_graphic() && !"\"'#".contains(c)))
    else {
        return Err(LoanError::NoToken(program.to_owned()));
    };
    let name = loan.file.as_deref().unwrap_or("token");
    let file = place
        .write(&format!("{program}/{name}"), &loan.text.replace("{}", token))
        .map_err(|source| LoanError::WriteToken { program: program.to_owned(), source })?;
    let led = match (&loan.file, file.parent()) {
        (Some(_), Some(folder)) => folder.to_owned(),
        _ => file.clone(),
    };
    prepared.lent.variables.push((loan.variable.clone().into(), led.into()));
    prepared.revealed.push(file);
    Ok(())
}
