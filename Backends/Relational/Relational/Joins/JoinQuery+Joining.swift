// Swift 6.3 infers no type of a chain that goes on after a third table: a join of two tables, and of three, wants a name of its own,
// `let lent = Book.table.join(…)`, from which the next expression goes on.

extension JoinQuery {
  /// Adds a further table to each row: every record of it for which the condition holds.
  ///
  /// Give the join a name first, from which the next expression goes on: `let lent = Book.table.join(Loan.table) { … }`.
  public func join<Other: TableRows>(
    _ other: Other,
    on condition: (repeat Columns<(each Side).Record>, Columns<Other.Record>) -> Condition
  ) -> JoinQuery<repeat each Side, Joined<Other.Record>> {
    let side = Joined(joined: named(other))
    return JoinQuery<repeat each Side, Joined<Other.Record>>(
      (repeat each sides, side), base, "JOIN", other.all, as: side.joined.alias, on: condition)
  }

  /// Adds a further table to each row: every record of it for which the condition holds, or `nil` where there is none.
  public func leftJoin<Other: TableRows>(
    _ other: Other,
    on condition: (repeat Columns<(each Side).Record>, Columns<Other.Record>) -> Condition
  ) -> JoinQuery<repeat each Side, OptionallyJoined<Other.Record>> {
    let side = OptionallyJoined(joined: named(other))
    return JoinQuery<repeat each Side, OptionallyJoined<Other.Record>>(
      (repeat each sides, side), base, "LEFT JOIN", other.all, as: side.joined.alias,
      isMarked: true, on: condition)
  }

  /// Adds every record of a further table to every row.
  public func crossJoin<Other: TableRows>(
    _ other: Other
  ) -> JoinQuery<repeat each Side, Joined<Other.Record>> {
    let side = Joined(joined: named(other))
    let base = base.joining("CROSS JOIN", other.all, as: side.joined.alias, on: nil)
    return JoinQuery<repeat each Side, Joined<Other.Record>>((repeat each sides, side), base)
  }

  private func named<Other: TableRows>(_ other: Other) -> JoinedTable<Other.Record> {
    let table = other.all.table
    return JoinedTable(table: table, alias: base.alias(for: table.name))
  }

  /// Joins the last of the sides.
  private init<Record>(
    _ sides: (repeat each Side), _ base: JoinBase, _ word: StaticString,
    _ other: TableQuery<Record>, as alias: String, isMarked: Bool = false,
    on condition: (repeat Columns<(each Side).Record>) -> Condition
  ) {
    let condition = condition(repeat (each sides).joined.columns)
    let base = base.joining(word, other, as: alias, isMarked: isMarked, on: condition)
    self.init((repeat each sides), base)
  }
}

extension TableRows {
  /// Puts a record of another table beside each of these: `Book.table.join(Author.table) { book, author in book.authorID == author.id }`.
  public func join<Other: TableRows>(
    _ other: Other, on condition: (Columns<Record>, Columns<Other.Record>) -> Condition
  ) -> JoinQuery<Joined<Record>, Joined<Other.Record>> {
    alone.join(other, on: condition)
  }

  /// Puts a record of another table beside each of these, or `nil` where none belongs to it.
  public func leftJoin<Other: TableRows>(
    _ other: Other, on condition: (Columns<Record>, Columns<Other.Record>) -> Condition
  ) -> JoinQuery<Joined<Record>, OptionallyJoined<Other.Record>> {
    alone.leftJoin(other, on: condition)
  }

  /// Puts every record of another table beside each of these.
  public func crossJoin<Other: TableRows>(
    _ other: Other
  ) -> JoinQuery<Joined<Record>, Joined<Other.Record>> {
    alone.crossJoin(other)
  }

  private var alone: JoinQuery<Joined<Record>> {
    let query = all
    return JoinQuery(
      Joined(joined: JoinedTable(table: query.table, alias: query.table.name)), JoinBase(query))
  }
}
