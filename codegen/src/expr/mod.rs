//! The small expressions of the schema language: conditions, counts, sizes and derived values.
//!
//! All values are unsigned 64-bit numbers and every operation has a result, so an expression can neither fail nor panic,
//! whatever a file holds: sums and products saturate, a difference below zero is 0, a division by zero gives 0, and a shift
//! by 64 or more gives 0. The generated Rust (`emit::expr`) and [`Expr::evaluate`] follow the same rules.

mod parse;

pub use parse::{ParseError, parse};

/// A value that does not come from the structure itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextValue {
    /// Bytes of a pointer in the data: 4 or 8.
    PointerSize,
    /// Log file format version: major in the high byte, minor in the low byte.
    LogVersion,
}

impl ContextValue {
    /// Finds a context value by the name that expressions use.
    pub fn find(name: &str) -> Option<Self> {
        match name {
            "PointerSize" => Some(Self::PointerSize),
            "LogVersion" => Some(Self::LogVersion),
            _ => None,
        }
    }
}

/// What a structure is read with, besides its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// Bytes of a pointer in the data: 4 or 8.
    pub pointer_size: u32,
    /// Log file format version.
    pub log_version: u32,
}

impl Default for Context {
    /// 64-bit data of format version 1.5, which every Windows since 7 writes.
    fn default() -> Self {
        Self {
            pointer_size: 8,
            log_version: 0x0105,
        }
    }
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `!`: 1 for 0, else 0.
    Not,
    /// `~`: all bits turned.
    Complement,
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Binary {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An expression. `N` is what a name stands for: its text after parsing, a [`Reference`] once resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression<N> {
    /// A number.
    Number(u64),
    /// A name.
    Name(N),
    /// An operator with one operand.
    Unary(Unary, Box<Self>),
    /// An operator with two operands.
    Binary(Binary, Box<Self>, Box<Self>),
    /// `condition ? first : second`.
    Choice(Box<Self>, Box<Self>, Box<Self>),
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A stored field: its index among the members of the structure, then of the nested structure, and so on.
    Field(Vec<usize>),
    /// A context value.
    Context(ContextValue),
}

/// A resolved expression.
pub type Expr = Expression<Reference>;

impl<N> Expression<N> {
    /// Replaces every name by what `resolve` makes of it.
    ///
    /// # Errors
    /// The first error of `resolve`.
    pub fn try_map<M, E>(&self, resolve: &mut impl FnMut(&N) -> Result<Expression<M>, E>) -> Result<Expression<M>, E> {
        Ok(match self {
            Self::Number(number) => Expression::Number(*number),
            Self::Name(name) => resolve(name)?,
            Self::Unary(operator, operand) => Expression::Unary(*operator, Box::new(operand.try_map(resolve)?)),
            Self::Binary(operator, left, right) => {
                Expression::Binary(*operator, Box::new(left.try_map(resolve)?), Box::new(right.try_map(resolve)?))
            }
            Self::Choice(condition, first, second) => Expression::Choice(
                Box::new(condition.try_map(resolve)?),
                Box::new(first.try_map(resolve)?),
                Box::new(second.try_map(resolve)?),
            ),
        })
    }
}

impl Expr {
    /// The same expression seen from a structure that holds this one under the field path `prefix`.
    #[must_use]
    pub fn within(&self, prefix: &[usize]) -> Self {
        let mapped: Result<Self, std::convert::Infallible> = self.try_map(&mut |reference| {
            Ok(Expression::Name(match reference {
                Reference::Field(path) => Reference::Field(prefix.iter().chain(path).copied().collect()),
                other => other.clone(),
            }))
        });
        match mapped {
            Ok(expr) => expr,
            Err(never) => match never {},
        }
    }

    /// The value, where `field` gives the value of a stored field by its path.
    pub fn evaluate(&self, field: &dyn Fn(&[usize]) -> u64, context: Context) -> u64 {
        let of = |expr: &Self| expr.evaluate(field, context);
        match self {
            Self::Number(number) => *number,
            Self::Name(Reference::Field(path)) => field(path),
            Self::Name(Reference::Context(ContextValue::PointerSize)) => u64::from(context.pointer_size),
            Self::Name(Reference::Context(ContextValue::LogVersion)) => u64::from(context.log_version),
            Self::Unary(Unary::Not, operand) => u64::from(of(operand) == 0),
            Self::Unary(Unary::Complement, operand) => !of(operand),
            Self::Choice(condition, first, second) => of(if of(condition) != 0 { first } else { second }),
            Self::Binary(operator, left, right) => operator.apply(of(left), of(right)),
        }
    }

    /// The paths of all stored fields that the expression uses.
    pub fn fields(&self) -> Vec<Vec<usize>> {
        let mut fields = Vec::new();
        self.each_name(&mut |reference| {
            if let Reference::Field(path) = reference {
                fields.push(path.clone());
            }
        });
        fields
    }

    /// Whether the expression uses a context value.
    pub fn uses_context(&self) -> bool {
        let mut used = false;
        self.each_name(&mut |reference| used |= matches!(reference, Reference::Context(_)));
        used
    }

    fn each_name(&self, see: &mut impl FnMut(&Reference)) {
        match self {
            Self::Number(_) => {}
            Self::Name(reference) => see(reference),
            Self::Unary(_, operand) => operand.each_name(see),
            Self::Binary(_, left, right) => {
                left.each_name(see);
                right.each_name(see);
            }
            Self::Choice(condition, first, second) => {
                condition.each_name(see);
                first.each_name(see);
                second.each_name(see);
            }
        }
    }

    /// The value, if it needs neither field nor context.
    pub fn constant(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl Binary {
    /// The result for two numbers.
    pub fn apply(self, left: u64, right: u64) -> u64 {
        let shift = u32::try_from(right).unwrap_or(u32::MAX);
        match self {
            Self::Or => u64::from(left != 0 || right != 0),
            Self::And => u64::from(left != 0 && right != 0),
            Self::Equal => u64::from(left == right),
            Self::NotEqual => u64::from(left != right),
            Self::Less => u64::from(left < right),
            Self::LessOrEqual => u64::from(left <= right),
            Self::Greater => u64::from(left > right),
            Self::GreaterOrEqual => u64::from(left >= right),
            Self::BitOr => left | right,
            Self::BitXor => left ^ right,
            Self::BitAnd => left & right,
            Self::ShiftLeft => left.checked_shl(shift).unwrap_or(0),
            Self::ShiftRight => left.checked_shr(shift).unwrap_or(0),
            Self::Add => left.saturating_add(right),
            Self::Subtract => left.saturating_sub(right),
            Self::Multiply => left.saturating_mul(right),
            Self::Divide => left.checked_div(right).unwrap_or(0),
            Self::Remainder => left.checked_rem(right).unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> u64 {
        let resolved = parse(text)
            .unwrap()
            .try_map(&mut |name: &String| match name.as_str() {
                "Version" => Ok(Expression::Name(Reference::Field(vec![0]))),
                other => ContextValue::find(other)
                    .map(|value| Expression::Name(Reference::Context(value)))
                    .ok_or(()),
            })
            .unwrap();
        resolved.evaluate(&|_| 0x8204, Context::default())
    }

    #[test]
    fn precedence_is_that_of_rust() {
        assert_eq!(value("Version >> 8 & 7"), 2);
        assert_eq!(value("(Version >> 8 & 7) + (Version >> 15)"), 3);
        assert_eq!(value("Version & 4 == 4"), 1);
        assert_eq!(value("1 + 2 * 3 == 7 && 2 | 1 == 3"), 1);
        assert_eq!(value("PointerSize == 8 ? LogVersion : 0"), 0x105);
        assert_eq!(value("0 ? 1 : 0 ? 2 : 3"), 3);
    }

    #[test]
    fn every_operation_has_a_result() {
        assert_eq!(value("1 / 0"), 0);
        assert_eq!(value("1 % 0"), 0);
        assert_eq!(value("3 - 4"), 0);
        assert_eq!(value("1 << 64"), 0);
        assert_eq!(value("0xffffffffffffffff + 1"), u64::MAX);
        assert_eq!(value("0xffffffffffffffff * 2"), u64::MAX);
        assert_eq!(value("!0 + ~0 == ~0"), 1);
    }

    #[test]
    fn names_are_seen_from_outside() {
        let inner = Expr::Name(Reference::Field(vec![1]));
        assert_eq!(inner.within(&[4, 0]), Expr::Name(Reference::Field(vec![4, 0, 1])));
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(parse("1 + ").unwrap_err().at, 4);
        assert_eq!(parse("1 $ 2").unwrap_err().at, 2);
        assert_eq!(parse("(1").unwrap_err().at, 2);
        assert_eq!(parse("1 2").unwrap_err().at, 2);
        assert_eq!(parse("0x").unwrap_err().at, 0);
        assert_eq!(parse("").unwrap_err().at, 0);
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"!".repeat(100_000)).is_err());
        assert!(parse(&format!("1{}", "?1:1".repeat(100_000))).is_err());
    }
}
