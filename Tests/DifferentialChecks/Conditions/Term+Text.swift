import UndercroftRelational

extension Term where Value: TextValue {
  var lowercased: Term { mapped("lowercased", \.asciiLowercased) { $0.lowercased } }
  var uppercased: Term { mapped("uppercased", \.asciiUppercased) { $0.uppercased } }

  private func mapped(
    _ name: String, _ path: any KeyPath<String, String> & Sendable,
    _ change: @escaping @Sendable (SQLExpression<Value>) -> SQLExpression<Value>
  ) -> Term {
    Term("\(text).\(name)") {
      change(library($0))
    } model: {
      if case .text(let text) = model($0) { .text(text[keyPath: path]) } else { .null }
    }
  }

  func collated(_ collation: Collation) -> Term {
    let name = collation == .binary ? "BINARY" : "NOCASE"
    return Term("\(text).collated(\(name))", (collation, true)) {
      library($0).collated(name)
    } model: {
      model($0)
    }
  }
}

extension Term where Value == String {
  /// The number of characters before the first NUL, as SQLite counts them.
  var length: Term<Int> {
    Term<Int>("\(text).length") {
      library($0).length
    } model: {
      guard case .text(let text) = model($0) else { return .null }
      return Cell(text.unicodeScalars.prefix { $0 != "\0" }.count)
    }
  }
}
