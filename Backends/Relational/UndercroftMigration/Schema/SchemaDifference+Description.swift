import UndercroftCore
import UndercroftSQLite

extension SchemaDifference: CustomStringConvertible {
  /// The differences, one per line, in the order removed, changed, added.
  public var description: String { lines.joined(separator: "\n") }

  /// The lines of ``description``, one for each difference.
  package var lines: [String] {
    removed.map { "- \(Self.name(of: $0))" }
      + changed.flatMap { change in
        change.lines.map { "~ \(Self.name(of: change.new)): \(Self.printable($0))" }
      }
      + added.map(Self.line)
  }

  private static func name(of object: SchemaObject) -> String {
    "\(object.kind.rawValue) \(printable(object.name))"
  }

  private static func line(_ object: SchemaObject) -> String {
    if object.kind == .table, let table = CreateTableStatement(object.sql ?? "") {
      let items = (table.columns + table.constraints).map(\.text).joined(separator: ", ")
      return "+ \(name(of: object)) (\(printable(items)))"
    }
    return "+ \(name(of: object)): \(printable(TokenizedSQL(object.sql ?? "").plainText()))"
  }

  /// Returns the text on one line, with control characters escaped, so that
  /// a terminal does not interpret them.
  private static func printable(_ text: String) -> String {
    var printable = ""
    for scalar in text.unicodeScalars {
      let isPlain = scalar == "\"" || scalar == "\\"
      printable += isPlain ? String(scalar) : escaped(String(scalar))
    }
    return printable
  }
}

extension SchemaDifference.Change: CustomStringConvertible {
  /// The differences of the object, one per line.
  public var description: String {
    SchemaDifference(added: [], removed: [], changed: [self]).description
  }
}
