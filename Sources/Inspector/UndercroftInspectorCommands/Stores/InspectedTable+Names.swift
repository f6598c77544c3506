import UndercroftCore
import UndercroftInspection

extension [InspectedTable] {
  /// Returns the table with a name in any case, or `nil` if there is none.
  ///
  /// SQLite ignores only the case of ASCII letters, so two tables can have names that differ in the
  /// case of other letters. The table with exactly this name therefore takes precedence.
  func table(named name: String) -> InspectedTable? {
    first { $0.name.isExactly(name) } ?? first { $0.name.lowercased() == name.lowercased() }
  }
}
