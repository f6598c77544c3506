import Testing
import UndercroftCore

/// Tests of the number of differences between two names.
@Suite struct EditDistanceTests {
  @Test(arguments: [
    ("book", "book", 0), ("bok", "book", 1), ("books", "book", 1), ("boak", "book", 1),
    ("auhtor", "author", 1), ("Book", "book", 1), ("laon", "loans", 2), ("", "loan", 4),
    ("shelf", "reader", 6), ("Zit", "Žít", 2), ("ca", "abc", 3),
  ])
  func `the distance is the number of changed, added, removed and exchanged scalars`(
    lhs: String, rhs: String, distance: Int
  ) {
    #expect(EditDistance.between(lhs, rhs, limit: 10) == distance)
    #expect(EditDistance.between(rhs, lhs, limit: 10) == distance)
    #expect(EditDistance.between(lhs, rhs, limit: distance) == distance)
    #expect(EditDistance.between(lhs, rhs, limit: distance - 1) == nil)
  }

  @Test(arguments: ["a", "書"])
  func `names of more than 100 scalars have no distance`(scalar: String) {
    let name = String(repeating: scalar, count: 100)

    #expect(EditDistance.between(name, name, limit: 1) == 0)
    #expect(EditDistance.between(name + scalar, name, limit: 1) == nil)
    #expect(EditDistance.between(name, name + scalar, limit: 1) == nil)
  }
}
