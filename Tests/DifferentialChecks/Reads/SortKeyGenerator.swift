/// A generator of the terms of an order.
struct SortKeyGenerator {
  let choices: Choices
  var sides = 1

  func generate() -> SortKey {
    let terms = TermGenerator(choices: choices, sides: sides)
    let isDescending = choices.oneIn(2)
    let nulls = choices.pick(SortKey.Nulls.allCases)
    switch choices.below(5) {
    case 0: return SortKey(terms.integer(1), isDescending: isDescending, nulls: nulls)
    case 1: return SortKey(terms.optionalInteger(1), isDescending: isDescending, nulls: nulls)
    case 2: return SortKey(terms.real(), isDescending: isDescending, nulls: nulls)
    case 3: return SortKey(terms.text(), isDescending: isDescending, nulls: nulls)
    default: return SortKey(terms.optionalText(), isDescending: isDescending, nulls: nulls)
    }
  }

  /// Generates an order that is unambiguous.
  func certain() -> [SortKey] {
    choices.list(atMost: 3) { generate() } + (0..<sides).map { SortKey.id($0) }
  }
}
