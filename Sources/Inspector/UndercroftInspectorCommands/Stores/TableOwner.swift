import UndercroftCore
import UndercroftInspection

/// A store or a database with tables, which a user selects by their names.
protocol TableOwner {
  /// The names of the store in SQL statements, such as the kinds that one database stores.
  var names: [String] { get }
  var tables: [InspectedTable] { get }
}

extension TableOwner {
  /// Returns the table or view with a name.
  func table(named name: String) -> InspectedTable? { tables.table(named: name) }

  /// Returns the search for the table or view whose name is most similar to a name.
  fileprivate func nearestTable(to name: String) -> NearestName {
    var nearest = NearestName(to: name)
    for table in tables { nearest.compare(table.name) }
    return nearest
  }
}

extension Array where Element: TableOwner {
  /// Returns the elements that have a table or view with a name.
  func owners(of table: String) -> [Element] { filter { $0.table(named: table) != nil } }

  /// Returns the name of a table without the kind that may precede it, and the elements that can
  /// have the table.
  ///
  /// A table whose own name has the form of a kind and a table precedes the table of the kind.
  func resolving(_ name: String) -> (table: String, owners: [Element]) {
    guard owners(of: name).isEmpty else { return (name, self) }
    for kind in flatMap(\.names) where name.utf8.starts(with: (kind + ".").utf8) {
      let table = String(decoding: name.utf8.dropFirst(kind.utf8.count + 1), as: UTF8.self)
      let owners = owners(of: table).filter { $0.names.contains { $0.isExactly(kind) } }
      if !owners.isEmpty { return (table, owners) }
    }
    return (name, self)
  }

  /// Returns the question whether the table that is most similar to a name is meant, with a space
  /// after it, or an empty string if all names differ much.
  ///
  /// If the name begins with a kind, only the tables of this kind are compared, without the kind,
  /// unless another kind has the table.
  func question(aboutTable name: String) -> String {
    for owner in self {
      for kind in owner.names where name.utf8.starts(with: (kind + ".").utf8) {
        let table = String(decoding: name.utf8.dropFirst(kind.utf8.count + 1), as: UTF8.self)
        if let other = owners(of: table).first?.names.first {
          return "did you mean \(quoted("\(other).\(table)"))? "
        }
        let nearest = owner.nearestTable(to: table).name
        return nearest.map { "did you mean \(quoted("\(kind).\($0)"))? " } ?? ""
      }
    }
    var nearest = NearestName(to: name)
    for table in flatMap(\.tables) { nearest.compare(table.name) }
    return nearest.question
  }
}
