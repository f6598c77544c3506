import UndercroftCore
public import UndercroftSQLite

/// What tables, indexes, views and triggers a database has, for comparing it with another.
///
/// Two are equal when their SQL says the same: space, comments, quotes around names, the case of names and words, and the order of the objects
/// do not matter; the order of a table's columns does. Left out is what belongs to SQLite or to the migrator itself, and what a virtual
/// table keeps in tables of its own.
public struct DatabaseSchema: Sendable, Hashable {
  /// The objects in the order in which they were made.
  public let objects: [SchemaObject]
  /// What each of them says.
  let meanings: [Key: [SQLTokens.Token]]

  /// What no two objects have in common.
  struct Key: Hashable, Sendable {
    let kind: SchemaObject.Kind
    let name: ExactString

    init(_ object: SchemaObject) {
      kind = object.kind
      name = object.name.folded
    }
  }

  init(_ objects: [SchemaObject]) {
    self.objects = objects
    meanings = Dictionary(
      objects.map { (Key($0), Self.meaning(of: $0.sql ?? "")) }, uniquingKeysWith: { one, _ in one }
    )
  }

  /// The tokens of a statement; `IF NOT EXISTS` says nothing about what it makes.
  private static func meaning(of sql: String) -> [SQLTokens.Token] {
    var tokens = SQLTokens.split(sql)
    // After CREATE UNIQUE INDEX, CREATE TEMP TABLE and the like.
    for place in tokens.indices.prefix(4) where tokens[place].isWord("if") {
      guard tokens.count > place + 2, tokens[place + 1].isWord("not"),
        tokens[place + 2].isWord("exists")
      else { continue }
      tokens.removeSubrange(place...place + 2)
      break
    }
    return tokens
  }

  public static func == (one: DatabaseSchema, other: DatabaseSchema) -> Bool {
    one.meanings == other.meanings
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(meanings) }
}
