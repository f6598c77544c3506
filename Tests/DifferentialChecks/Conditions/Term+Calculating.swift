import UndercroftRelational

extension Term where Value: NumberValue {
  func calculated(_ operator: Cell.Operator, _ number: Value, _ cell: Cell) -> Term {
    Term("(\(text) \(`operator`.rawValue) \(cell))") { columns in
      switch `operator` {
      case .plus: library(columns) + number
      case .minus: library(columns) - number
      case .times: library(columns) * number
      case .over: library(columns) / number
      }
    } model: { rows in
      model(rows).calculated(`operator`, cell)
    }
  }

  func calculated(_ operator: Cell.Operator, _ other: Term) -> Term {
    Term("(\(text) \(`operator`.rawValue) \(other.text))") { columns in
      switch `operator` {
      case .plus: library(columns) + other.library(columns)
      case .minus: library(columns) - other.library(columns)
      case .times: library(columns) * other.library(columns)
      case .over: library(columns) / other.library(columns)
      }
    } model: { rows in
      model(rows).calculated(`operator`, other.model(rows))
    }
  }
}

extension Term {
  func coalesce(_ value: Value.Unwrapped, _ cell: Cell) -> Term<Value.Unwrapped> {
    Term<Value.Unwrapped>("\(text).coalesce(\(cell))") {
      library($0).coalesce(value)
    } model: {
      let own = model($0)
      return own.isNull ? cell : own
    }
  }

  func coalesce(_ other: Term) -> Term {
    Term("\(text).coalesce(\(other.text))") {
      library($0).coalesce(other.library($0))
    } model: {
      let own = model($0)
      return own.isNull ? other.model($0) : own
    }
  }
}
