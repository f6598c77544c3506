import UndercroftRelational
import UndercroftSQLite

// Writes whose conditions contain subqueries of derived tables.

extension SplitWriter {
  /// Deletes or changes the rows of a table whose keys are also in partitions with the same name,
  /// as an application does after it has copied the rows there.
  func writeMoved(_ model: inout SplitModel, in db: Connection) throws {
    let condition = choices.oneIn(2) ? PredicateGenerator(choices: choices).generate(0) : nil
    let isDelete = choices.oneIn(2)
    let number = choices.number(0...3)
    let rest = isDelete ? "" : ", b = \(number)"
    trial.note(
      """
      \(isDelete ? "delete from" : "update") item where the partitions named item have the key \
      where \(condition?.text ?? "true")\(rest)
      """)
    let label = "\(isDelete ? "delete" : "update") of the rows that partitions of one name have"
    try trial.step(label, &model) { model in
      let keys = Set(model.sameName.filter { condition?.matches($0) ?? true }.map(\.id))
      return isDelete
        ? Self.delete(from: &model.plain) { keys.contains($0.id) }
        : Self.update(&model.plain, b: number) { keys.contains($0.id) }
    } library: {
      let moved = condition.map { wanted in Item.sameName.where { wanted.library([$0]) } }
      let keys = (moved ?? Item.sameName.all).select { $0.id }
      let rows = Item.plain.where { $0.id.isIn(keys) }
      return isDelete
        ? "\(try rows.delete(in: db))"
        : "\(try rows.update(in: db) { $0.b = number })"
    }
  }

  /// Deletes or changes rows of partitions by a condition that reads the same partitions.
  ///
  /// The condition must see all partitions as they were before the first write.
  func writeByOwnRows(_ model: inout SplitModel, in db: Connection) throws {
    let spread = Relation("spread", Item.spread, model.spread)
    let condition = PredicateGenerator(choices: choices, relations: [spread]).subquery(1)
    let isDelete = choices.oneIn(2)
    let number = choices.number(0...3)
    let rest = isDelete ? "" : ", b = \(number)"
    trial.note("\(isDelete ? "delete from" : "update") spread where \(condition.text)\(rest)")
    let label = "\(isDelete ? "delete" : "update") of partitions by their own rows"
    try trial.step(label, &model) { model in
      isDelete
        ? Self.delete(from: &model.spread, condition.matches)
        : Self.update(&model.spread, b: number, condition.matches)
    } library: {
      if isDelete {
        return "\(try Item.spread.delete(where: { condition.library([$0]) }, in: db))"
      }
      let count = try Item.spread.update(where: { condition.library([$0]) }, in: db) {
        $0.b = number
      }
      return "\(count)"
    }
  }
}
