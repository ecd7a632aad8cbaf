//! From text to [`Expression`], by precedence climbing.

use std::fmt;

use super::{Binary, Expression, Unary};

/// Expressions nested deeper than this are refused, so that parsing needs a bounded stack.
const MAX_DEPTH: u32 = 64;

/// Why a text is not an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Byte of the text where it goes wrong.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.message, self.at + 1)
    }
}

/// Parses an expression.
///
/// # Errors
/// Says where the text stops being an expression, and why.
pub fn parse(text: &str) -> Result<Expression<String>, ParseError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let expression = parser.choice()?;
    parser.skip_blanks();
    if parser.at < text.len() {
        Err(parser.error("expected an operator or the end"))
    } else {
        Ok(expression)
    }
}

/// Operators by rising precedence; within a row, longer ones first so that `<<` is not taken for `<`.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[
        ("==", Binary::Equal),
        ("!=", Binary::NotEqual),
        ("<=", Binary::LessOrEqual),
        (">=", Binary::GreaterOrEqual),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
];

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn error(&self, message: &str) -> ParseError {
        ParseError {
            at: self.at,
            message: message.to_owned(),
        }
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deep"));
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn choice(&mut self) -> Result<Expression<String>, ParseError> {
        self.deeper(|parser| {
            let condition = parser.binary(0)?;
            if !parser.take("?") {
                return Ok(condition);
            }
            let first = parser.choice()?;
            if !parser.take(":") {
                return Err(parser.error("expected `:` and the other value"));
            }
            let second = parser.choice()?;
            Ok(Expression::Choice(Box::new(condition), Box::new(first), Box::new(second)))
        })
    }

    fn binary(&mut self, level: usize) -> Result<Expression<String>, ParseError> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        // A chain leans to the left, so its length is bounded as well: dropping it recurses.
        for _ in 0..MAX_DEPTH {
            let Some(operator) = self.operator(operators) else {
                return Ok(left);
            };
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Err(self.error("too many operators in a row"))
    }

    fn operator(&mut self, operators: &[(&str, Binary)]) -> Option<Binary> {
        self.skip_blanks();
        let (token, operator) = operators.iter().find(|(token, _)| {
            // `|` is not the first half of `||`, nor `<` of `<<`.
            let longer = LEVELS
                .iter()
                .copied()
                .flatten()
                .any(|(other, _)| other.len() > token.len() && other.starts_with(token) && self.rest().starts_with(other));
            self.rest().starts_with(token) && !longer
        })?;
        self.at += token.len();
        Some(*operator)
    }

    fn unary(&mut self) -> Result<Expression<String>, ParseError> {
        for (token, operator) in [("!", Unary::Not), ("~", Unary::Complement)] {
            if self.take(token) {
                return self.deeper(|parser| Ok(Expression::Unary(operator, Box::new(parser.unary()?))));
            }
        }
        self.operand()
    }

    fn operand(&mut self) -> Result<Expression<String>, ParseError> {
        if self.take("(") {
            let inner = self.choice()?;
            return if self.take(")") {
                Ok(inner)
            } else {
                Err(self.error("expected an operator or `)`"))
            };
        }
        self.skip_blanks();
        let token: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
            .collect();
        let expression = if token.starts_with(|c: char| c.is_ascii_digit()) {
            let number = match token.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16),
                None => token.parse(),
            };
            Expression::Number(number.map_err(|_| self.error("not a number of at most 64 bits"))?)
        } else if token.is_empty() {
            return Err(self.error("expected a number, a name or `(`"));
        } else {
            Expression::Name(token.clone())
        };
        self.at += token.len();
        Ok(expression)
    }
}
