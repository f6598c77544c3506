/// The rows of each table and split, as arrays.
struct SplitModel {
  var plain: [Item]
  var sameName: [Item]
  var spread: [Item]
  var full: [Item]
  var short: [ShortItem]
  var whole: [Item]
  var incomplete: [ShortItem]

  static func generate(_ choices: Choices) -> SplitModel {
    // The keys in the parts of a union must be different.
    let short = Item.list(choices, atMost: 4).map { ShortItem(id: $0.id + 100, a: $0.a, s: $0.s) }
    return SplitModel(
      plain: Item.list(choices, atMost: 5), sameName: Item.list(choices, atMost: 5),
      spread: Item.list(choices, atMost: 6), full: Item.list(choices, atMost: 4), short: short,
      whole: Item.list(choices, atMost: 5),
      incomplete: Item.list(choices, atMost: 4).map { ShortItem(id: $0.id, a: $0.a, s: $0.s) })
  }

  var relations: [Relation] {
    [
      Relation("item", Item.plain, plain),
      Relation("partitions named item", Item.sameName, sameName),
      Relation("spread", Item.spread, spread),
      Relation("whole", Item.whole, whole),
      Relation("list, short first", Item.shortFirst, short.map(\.item) + full),
      Relation("list, full first", Item.fullFirst, full + short.map(\.item)),
      Relation("list named full", Item.namedLikePart, full + short.map(\.item)),
      Relation("incomplete", Item.incomplete, incomplete.map(\.item)),
      Relation("absent", Item.absent.0, []),
      Relation("absent, declared twice", Item.absent.1, []),
    ]
  }
}
