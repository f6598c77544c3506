import Foundation

/// A value of each type that has its own rules in a property list.
struct CatalogueEntry: Codable, Equatable {
  enum Shelf: String, Codable { case fiction, science = "sciénce" }

  enum Status: Codable, Equatable {
    case available
    case lent(to: String, days: Int)
    case ordered(Date?)
  }

  struct Copy: Codable, Equatable {
    var number: Int
    var note: String?
    var damage: [Damage] = []
  }

  struct Damage: Codable, Equatable {
    var page: UInt16
    var kind: String
  }

  var flag = true
  var int8 = Int8.min
  var int16 = Int16.min
  var int32 = Int32.min
  var int64 = Int64.min
  var int = -1
  var uint8 = UInt8.max
  var uint16 = UInt16.max
  var uint32 = UInt32.max
  var uint64 = UInt64.max
  var uint: UInt = 0
  var float = Float(0.1)
  var double = 0.1
  var wholeDouble = 3.0
  var infinities = [Double.infinity, -.infinity]
  var text = "Zoë & <Ada> \"📚\" 'x' ]]>\r\n\t\u{0}\u{7f}\u{feff}"
  var ascii = "Emma"
  var empty = ""
  var date = Date(timeIntervalSinceReferenceDate: 812_345_678)
  var bytes = Data([0, 1, 255])
  var noBytes = Data()
  var link = URL(string: "https://library.example/books?title=Emma#1")
  var identifier = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")
  var price = Decimal(string: "12345678901234567890.0123456789")
  var missing: String?
  var shelf = Shelf.science
  var status: [Status] = [
    .available, .lent(to: "Ada", days: 14), .ordered(nil), .ordered(.distantPast),
  ]
  var copies = [
    Copy(number: 1, note: nil),
    Copy(number: 2, note: "$nul", damage: [Damage(page: 3, kind: "stain")]),
  ]
  var nested: [[[Int]]] = [[], [[]], [[1], [2, 3]]]
  var optionals: [Int?] = [1, nil, 3]
  var set: Set<Int> = [5]
  var byName = ["a": 1, "": 2, "é": 3, "e b": 4]
  var byNumber = [1: "one", -2: "minus two"]
  var byDate = [Date(timeIntervalSinceReferenceDate: 5): "five"]
  var byShelf = [Shelf.fiction: 1]
  var copiesByName = ["first": Copy(number: 1, note: "n")]
  var range = 3...7
}

/// A class whose superclass is encoded in each of the three ways.
class Person: Codable, Equatable {
  var name = "Ada"

  init() {}

  static func == (lhs: Person, rhs: Person) -> Bool { lhs.name == rhs.name }
}

final class Reader: Person {
  enum Way: String, Codable { case superclass, key, element }

  private enum CodingKeys: String, CodingKey { case card, way, person, list }

  var card = 4711
  var way: Way

  init(_ way: Way) {
    self.way = way
    super.init()
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    card = try container.decode(Int.self, forKey: .card)
    way = try container.decode(Way.self, forKey: .way)
    let person = try Self.superclass(way, in: container)
    try super.init(from: person)
  }

  private static func superclass(
    _ way: Way, in container: KeyedDecodingContainer<CodingKeys>
  ) throws -> any Decoder {
    switch way {
    case .superclass: return try container.superDecoder()
    case .key: return try container.superDecoder(forKey: .person)
    case .element:
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      return try list.superDecoder()
    }
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(card, forKey: .card)
    try container.encode(way, forKey: .way)
    switch way {
    case .superclass: try super.encode(to: container.superEncoder())
    case .key: try super.encode(to: container.superEncoder(forKey: .person))
    case .element:
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try super.encode(to: list.superEncoder())
    }
  }
}
