import UndercroftCore
public import UndercroftSQLite

/// The tables, indexes, views and triggers of a database, for comparison with another schema.
///
/// Two schemas are equal if their SQL has the same tokens. White space, comments, quotes around
/// names, the case of names and keywords, and the order of the objects are ignored. The order of a
/// table's columns is significant, except for ``changes(toContain:)``. Not included are the objects
/// of SQLite and of the migrator, and the shadow tables of virtual tables.
public struct DatabaseSchema: Sendable, Hashable {
  /// The objects in the order of their creation.
  public let objects: [SchemaObject]
  /// The tokens of each object's SQL, keyed by the kind and the name of the object.
  let tokens: [Key: [SQLTokenizer.Token]]

  /// The kind and the name of an object, which identify it within a schema.
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
    tokens = Dictionary(
      objects.map { (Key($0), Self.tokens(of: $0.sql ?? "")) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the tokens of a statement without `IF NOT EXISTS`, which
  /// does not affect the created object.
  private static func tokens(of sql: String) -> [SQLTokenizer.Token] {
    var tokens = SQLTokenizer.split(sql)
    // `IF` is the third or fourth token, as in CREATE TABLE IF or CREATE UNIQUE INDEX IF.
    for index in tokens.indices.prefix(4) where tokens[index].isWord("if") {
      guard tokens.count > index + 2, tokens[index + 1].isWord("not"),
        tokens[index + 2].isWord("exists")
      else { continue }
      tokens.removeSubrange(index...index + 2)
      break
    }
    return tokens
  }

  public static func == (lhs: DatabaseSchema, rhs: DatabaseSchema) -> Bool {
    lhs.tokens == rhs.tokens
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(tokens) }
}
