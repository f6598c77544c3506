/// A generator of terms from the columns of one or several tables.
struct TermGenerator {
  let choices: Choices
  let sides: Int

  private var side: Int { choices.below(sides) }

  func integer(_ depth: Int = 2) -> Term<Int> {
    guard depth > 0 else { return .a(side) }
    switch choices.below(sides > 1 ? 6 : 7) {
    case 0, 1, 2: return .a(side)
    case 3:
      let number = Item.number(choices)
      return integer(depth - 1).calculated(
        choices.pick(Cell.Operator.allCases), number, Cell(number))
    case 4:
      return integer(depth - 1).calculated(
        choices.pick(Cell.Operator.allCases), integer(depth - 1))
    case 5:
      let number = Item.number(choices)
      return optionalInteger(depth - 1).coalesce(number, Cell(number))
    default: return text(1).length
    }
  }

  func optionalInteger(_ depth: Int = 2) -> Term<Int?> {
    guard depth > 0 else { return .b(side) }
    switch choices.below(6) {
    case 0, 1, 2: return .b(side)
    case 3:
      let number = Item.optional(choices, Item.number)
      return optionalInteger(depth - 1).calculated(
        choices.pick(Cell.Operator.allCases), number, Cell(number))
    case 4:
      return optionalInteger(depth - 1).calculated(
        choices.pick(Cell.Operator.allCases), optionalInteger(depth - 1))
    default: return optionalInteger(depth - 1).coalesce(optionalInteger(depth - 1))
    }
  }

  func real(_ depth: Int = 1) -> Term<Double?> {
    guard depth > 0, choices.oneIn(3) else { return .x(side) }
    if choices.oneIn(2) {
      return real(0).calculated(choices.pick(Cell.Operator.allCases), real(0))
    }
    let number = Item.optional(choices, Item.real)
    return real(0).calculated(choices.pick(Cell.Operator.allCases), number, Cell(number))
  }

  func text(_ depth: Int = 1) -> Term<String> {
    guard depth > 0 else { return .s(side) }
    switch choices.below(sides > 1 ? 3 : 6) {
    case 0, 1: return .s(side)
    case 2: return choices.oneIn(2) ? text(0).uppercased : text(0).lowercased
    case 3: return text(0).collated(choices.oneIn(2) ? .binary : .noCase)
    default:
      let other = Item.foldedText(choices)
      return optionalText(0).coalesce(other, Cell(other))
    }
  }

  func optionalText(_ depth: Int = 1) -> Term<String?> {
    guard depth > 0 else { return .t(side) }
    switch choices.below(sides > 1 ? 3 : 5) {
    case 0, 1: return .t(side)
    case 2: return choices.oneIn(2) ? optionalText(0).uppercased : optionalText(0).lowercased
    case 3: return optionalText(0).collated(choices.oneIn(2) ? .binary : .noCase)
    default: return optionalText(0).coalesce(optionalText(0))
    }
  }
}
