/// A generator of conditions on the columns of one or several tables.
///
/// Joins do not compare a BINARY column with a NOCASE column, because SQLite 3.40.1 returns wrong
/// rows for such an `OR` with an index, and for `t = s AND s = 'a'` after a `LEFT JOIN`.
struct PredicateGenerator {
  let choices: Choices
  var sides = 1
  /// The relations that subqueries of conditions may read.
  var relations: [Relation] = []

  private var terms: TermGenerator { TermGenerator(choices: choices, sides: sides) }

  func generate(_ depth: Int = 2) -> Predicate {
    let kind = choices.below(depth > 0 ? 14 : 9)
    switch kind {
    case 0, 1: return integers()
    case 2: return optionalIntegers()
    case 3: return reals()
    case 4: return texts()
    case 5: return optionalTexts()
    case 6: return matchingText()
    case 7: return columns()
    case 8: return relations.isEmpty ? integers() : subquery(depth)
    case 9, 10: return !generate(depth - 1)
    case 11: return generate(depth - 1) && generate(depth - 1)
    case 12: return generate(depth - 1) || generate(depth - 1)
    default:
      let parts = choices.list(atMost: 4) { generate(0) }
      // `.all` of no conditions is always true, and `.any` of no conditions is never true.
      return choices.oneIn(2) ? .any(parts) : .all(parts)
    }
  }

  private var comparison: Comparison { choices.pick(Comparison.allCases) }

  private func integers() -> Predicate {
    let term = terms.integer()
    switch choices.below(4) {
    case 0, 1:
      let number = Item.number(choices)
      return term.compared(comparison, number, Cell(number))
    case 2:
      let numbers = choices.list(atMost: 4) { Item.number(choices) }
      return term.isIn(numbers, numbers.map { Cell($0) }, isNegated: choices.oneIn(2))
    default:
      let (least, greatest) = (Item.number(choices), Item.number(choices))
      return term.isBetween(
        least, greatest, (Cell(least), Cell(greatest)), form: choices.below(8))
    }
  }

  private func optionalIntegers() -> Predicate {
    let term = terms.optionalInteger()
    switch choices.below(4) {
    case 0, 1:
      let number = Item.optional(choices, Item.number)
      return term.compared(comparison, number, Cell(number))
    case 2:
      let numbers = choices.list(atMost: 4) { Item.optional(choices, Item.number) }
      return term.isIn(numbers, numbers.map { Cell($0) }, isNegated: choices.oneIn(2))
    default:
      let (least, greatest) = (Item.number(choices), Item.number(choices))
      return term.isBetween(
        least, greatest, (Cell(least), Cell(greatest)), form: choices.below(8))
    }
  }

  private func reals() -> Predicate {
    let term = terms.real()
    let number = Item.optional(choices, Item.real)
    if choices.oneIn(3) { return term.compared(comparison, terms.real()) }
    return term.compared(comparison, number, Cell(number))
  }

  private func texts() -> Predicate {
    let term = terms.text()
    if choices.oneIn(3) {
      let others = choices.list(atMost: 4) { Item.text(choices) }
      return term.isIn(others, others.map { Cell($0) }, isNegated: choices.oneIn(2))
    }
    let other = Item.text(choices)
    if choices.oneIn(4) {
      let greatest = Item.text(choices)
      return term.isBetween(
        other, greatest, (Cell(other), Cell(greatest)), form: 2 + choices.below(6))
    }
    return term.compared(comparison, other, Cell(other))
  }

  private func optionalTexts() -> Predicate {
    let term = terms.optionalText()
    if choices.oneIn(3) {
      let others = choices.list(atMost: 4) { Item.optional(choices, Item.foldedText) }
      return term.isIn(others, others.map { Cell($0) }, isNegated: choices.oneIn(2))
    }
    let other = Item.optional(choices, Item.foldedText)
    return term.compared(comparison, other, Cell(other))
  }
}
