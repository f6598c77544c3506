// Swift 6.3 cannot infer the types of a chain that adds a side to a variable number of sides. A
// join of two or three tables therefore has its own type. A join of more than four tables needs a
// variable for the first four, such as `let lent = Book.join(…)`.

extension JoinQuery {
  /// Returns a join with a further table: each row is combined with
  /// every record of the table for which the condition is true.
  ///
  /// Swift cannot infer the types of a chain of calls that adds a table to a ``JoinQuery``. To join
  /// more than four tables, assign the join of the first four tables to a variable, and then call
  /// this method on the variable.
  public func join<Other: TableRows>(
    _ other: Other,
    on condition: (repeat (each Side).JoinedColumns, Columns<Other.Record>) -> Condition
  ) -> JoinQuery<repeat each Side, Joined<Other.Record>> {
    let side = Joined(joined: named(other))
    return JoinQuery<repeat each Side, Joined<Other.Record>>(
      (repeat each sides, side), base, "JOIN", other.all, as: side.joined.alias, on: condition)
  }

  /// Returns a left join with a further table: each row is combined with every record of the table
  /// for which the condition is true, or with `nil` if there is no such record.
  ///
  /// The closures of all further calls receive the columns of the table as ``OptionalColumns``.
  public func leftJoin<Other: TableRows>(
    _ other: Other,
    on condition: (repeat (each Side).JoinedColumns, Columns<Other.Record>) -> Condition
  ) -> JoinQuery<repeat each Side, OptionallyJoined<Other.Record>> {
    // The condition compares the rows of the table itself, whose columns are not optional.
    let side = Joined(joined: named(other))
    let join = JoinQuery<repeat each Side, Joined<Other.Record>>(
      (repeat each sides, side), base, "LEFT JOIN", other.all, as: side.joined.alias,
      addsPresenceColumn: true, on: condition)
    return JoinQuery<repeat each Side, OptionallyJoined<Other.Record>>(
      (repeat each sides, OptionallyJoined(joined: side.joined)), join.base)
  }

  /// Returns a join that combines each row with every record of a further table.
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

  /// Creates a join of the tables `sides`, in which the last table is joined on a condition.
  ///
  /// - Parameters:
  ///   - sides: The tables of the join, including the last table.
  ///   - base: The join without the last table.
  ///   - word: The join operator in SQL, such as `LEFT JOIN`.
  ///   - other: The query of the rows of the last table.
  ///   - alias: The alias of the last table.
  ///   - addsPresenceColumn: Whether the last table has a further column whose value is 1. In a
  ///     left join, this column is NULL if no row is found.
  ///   - condition: A closure that receives the columns of all tables, and returns the condition.
  private init<Record>(
    _ sides: (repeat each Side), _ base: JoinBase, _ word: StaticString,
    _ other: TableQuery<Record>, as alias: String, addsPresenceColumn: Bool = false,
    on condition: (repeat (each Side).JoinedColumns) -> Condition
  ) {
    let condition = condition(repeat (each sides).columns)
    let base = base.joining(
      word, other, as: alias, addsPresenceColumn: addsPresenceColumn, on: condition)
    self.init((repeat each sides), base)
  }
}

extension TableRows {
  /// Returns a join that combines each row with every record of
  /// another table for which the condition is true.
  ///
  /// For example: `Book.join(Author.all) { book, author in book.authorID == author.id }`.
  public func join<Other: TableRows>(
    _ other: Other, on condition: (Columns<Record>, Columns<Other.Record>) -> Condition
  ) -> TwoTableJoin<Joined<Record>, Joined<Other.Record>> {
    TwoTableJoin(query: alone.join(other, on: condition))
  }

  /// Returns a left join that combines each row with every record of another table for which the
  /// condition is true, or with `nil` if there is no such record.
  ///
  /// The closures of all further calls receive the columns of the table as ``OptionalColumns``.
  public func leftJoin<Other: TableRows>(
    _ other: Other, on condition: (Columns<Record>, Columns<Other.Record>) -> Condition
  ) -> TwoTableJoin<Joined<Record>, OptionallyJoined<Other.Record>> {
    TwoTableJoin(query: alone.leftJoin(other, on: condition))
  }

  /// Returns a join that combines each row with every record of another table.
  public func crossJoin<Other: TableRows>(
    _ other: Other
  ) -> TwoTableJoin<Joined<Record>, Joined<Other.Record>> {
    TwoTableJoin(query: alone.crossJoin(other))
  }

  private var alone: JoinQuery<Joined<Record>> {
    let query = all
    return JoinQuery(
      Joined(joined: JoinedTable(table: query.table, alias: query.table.name)), JoinBase(query))
  }
}
