import CommonNames
import Undercroft

// The code of Docs/Guides/UsingTables.md for a file that imports SwiftUI, which declares another
// `Table`. `CommonNames` declares the names of SwiftUI on every platform.

struct Shelf: TableRecord {
  var id: Int64?
  var name: String

  static let table = Undercroft.Table(
    "shelf", Shelf.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name))
}
