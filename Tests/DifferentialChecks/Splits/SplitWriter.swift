import UndercroftRelational
import UndercroftSQLite

/// A runner of random writes of tables and splits, whose conditions can read any of the tables.
struct SplitWriter {
  let trial: Trial

  var choices: Choices { trial.choices }

  func step(_ model: inout SplitModel, in db: Connection) throws {
    let condition = PredicateGenerator(choices: choices, relations: model.relations).generate(1)
    let number = choices.number(0...3)
    let item = Item.generate(choices, id: Int64(choices.number(1...9)))
    switch choices.below(13) {
    case 0:
      trial.note("delete from item where \(condition.text)")
      try trial.step("delete by a condition on splits", &model) { model in
        Self.delete(from: &model.plain, condition.matches)
      } library: {
        "\(try Item.plain.where { condition.library([$0]) }.delete(in: db))"
      }
    case 1:
      trial.note("update item where \(condition.text), b = \(number)")
      try trial.step("update by a condition on splits", &model) { model in
        Self.update(&model.plain, b: number, condition.matches)
      } library: {
        "\(try Item.plain.where { condition.library([$0]) }.update(in: db) { $0.b = number })"
      }
    case 2:
      trial.note("delete from spread where \(condition.text)")
      try trial.step("delete from partitions by a condition", &model) { model in
        Self.delete(from: &model.spread, condition.matches)
      } library: {
        "\(try Item.spread.delete(where: { condition.library([$0]) }, in: db))"
      }
    case 3:
      trial.note("update spread where \(condition.text), b = \(number)")
      try trial.step("update of partitions by a condition", &model) { model in
        Self.update(&model.spread, b: number, condition.matches)
      } library: {
        "\(try Item.spread.update(where: { condition.library([$0]) }, in: db) { $0.b = number })"
      }
    case 4, 5: try writePartition(&model, item, in: db)
    case 6, 7: try writeWhole(&model, item, in: db)
    case 8, 9: try writeMoved(&model, in: db)
    case 10, 11: try writeByOwnRows(&model, in: db)
    default:
      trial.note("insert into base alone: \(item)")
      try trial.step("insert without a detail", &model) { model in
        if model.whole.contains(where: { $0.id == item.id }) { throw Refusal(reason: "key") }
        var kept = item
        (kept.s, kept.t) = ("none", "Berlin")
        model.whole.append(kept)
        return "\(item.id)"
      } library: {
        let base = ItemBase(id: item.id, a: item.a, b: item.b, x: item.x)
        return "\(try ItemBase.table.insertAndFetch(base, in: db).id)"
      }
    }
  }

  static func delete(from items: inout [Item], _ isWanted: (Item) -> Bool) -> String {
    let count = items.count
    items.removeAll(where: isWanted)
    return "\(count - items.count)"
  }

  static func update(
    _ items: inout [Item], b: Int, _ isWanted: (Item) -> Bool
  ) -> String {
    let places = items.indices.filter { isWanted(items[$0]) }
    for place in places { items[place].b = b }
    return "\(places.count)"
  }
}
