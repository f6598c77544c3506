import UndercroftSQLite
import UndercroftSync

extension SyncValue {
  /// Creates the synchronised value with the type and the bytes of a value in SQLite.
  init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}
