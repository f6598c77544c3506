/// A value in one of SQLite's storage classes, for the models, which do not use the library's
/// `SQLValue`.
enum Cell: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  init(_ value: String?) { self = value.map { .text($0) } ?? .null }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension Cell: Equatable {
  /// Returns whether both values are equal, where strings are compared by their bytes.
  static func == (lhs: Cell, rhs: Cell) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    default: lhs.order(rhs, .binary) == 0
    }
  }
}

extension Cell: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "\(text.debugDescription)"
    }
  }
}
