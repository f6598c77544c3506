import UndercroftRelational
import UndercroftSQLite

/// Checks that compare reads of rows with the model, for any source of items.
struct ReadChecks<Rows: TableRows<Item>> {
  let rows: Rows
  let items: [Item]
  let trial: Trial
  /// The relations that subqueries of conditions may read.
  let relations: [Relation]

  var choices: Choices { trial.choices }
  var predicates: PredicateGenerator { PredicateGenerator(choices: choices, relations: relations) }
  var sortKeys: SortKeyGenerator { SortKeyGenerator(choices: choices) }

  /// Runs several checks.
  func run(in db: Connection, atMost most: Int = 16) throws {
    for kind in choices.list(atMost: most, { choices.below(15) }) {
      switch kind {
      case 0, 1: try whole(in: db)
      case 2: try partition(in: db)
      case 3, 4: try ordered(in: db)
      case 5: try values(in: db)
      case 6: try distinct(in: db)
      case 7, 8: try aggregates(in: db)
      case 9: try groups(in: db)
      case 10, 11: try pages(in: db)
      case 12: try foreignPageEnd(in: db)
      case 13: try limitedAggregates(in: db)
      default: try latest(in: db)
      }
    }
  }

  func query(_ predicate: Predicate) -> TableQuery<Item> {
    rows.where { predicate.library([$0]) }
  }

  func ordered(_ query: TableQuery<Item>, by keys: [SortKey]) -> TableQuery<Item> {
    keys.reduce(query) { query, key in query.order { key.library([$0]) } }
  }

  func limited(_ query: TableQuery<Item>, to window: Window) -> TableQuery<Item> {
    if let limit = window.limit { return query.limit(limit, offset: window.offset) }
    return window.offset > 0 ? query.offset(window.offset) : query
  }

  func model(_ predicate: Predicate) -> [Item] { items.filter(predicate.matches) }
}
