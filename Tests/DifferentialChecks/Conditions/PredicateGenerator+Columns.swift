extension PredicateGenerator {
  private var terms: TermGenerator { TermGenerator(choices: choices, sides: sides) }

  /// Generates a condition on a part of a string, which may contain NUL, or a `LIKE` pattern for a
  /// string without NUL.
  func matchingText() -> Predicate {
    if choices.oneIn(3) {
      let pattern = choices.pick(["a%", "%b", "_", "%", "A_", "%e%", "ber_in", "", "a\\%b"])
      return terms.optionalText().like(pattern, isNegated: choices.oneIn(2))
    }
    let part = choices.pick(TextPart.allCases)
    let ignoringCase = choices.oneIn(3)
    if choices.oneIn(3) {
      return terms.optionalText().matches(
        part, Item.foldedText(choices), ignoringCase: ignoringCase)
    }
    let other = choices.pick(Item.texts + ["ab\0z", "cd", "\0c", "z"])
    return terms.text().matches(part, other, ignoringCase: ignoringCase)
  }

  /// Generates a comparison of two columns.
  func columns() -> Predicate {
    let comparison = choices.pick(Comparison.allCases)
    switch choices.below(sides > 1 ? 5 : 6) {
    case 0: return terms.integer().compared(comparison, terms.integer())
    case 1: return terms.integer().compared(comparison, terms.optionalInteger())
    case 2: return terms.optionalInteger().compared(comparison, terms.optionalInteger())
    case 3: return terms.optionalText().compared(comparison, terms.optionalText())
    case 4: return terms.text().compared(comparison, terms.text())
    default: return terms.text().compared(comparison, terms.optionalText())
    }
  }

  func subquery(_ depth: Int) -> Predicate {
    let relation = choices.pick(relations)
    let condition =
      choices.oneIn(2) ? PredicateGenerator(choices: choices).generate(0) : nil
    let column = choices.pick(SubqueryColumn.allCases)
    let isNegated = choices.oneIn(3)
    return choices.oneIn(2)
      ? terms.integer(1).isIn(relation, condition, of: column, isNegated: isNegated)
      : terms.optionalInteger(1).isIn(relation, condition, of: column, isNegated: isNegated)
  }
}
