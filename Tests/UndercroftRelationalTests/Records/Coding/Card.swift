import Foundation
import UndercroftRelational

/// A value with a property of every type that a column, or several columns, can store.
struct Card: Codable, Equatable {
  enum Kind: String, Codable { case reader, librarian }
  enum Shelf: Int, Codable { case upper = 1, lower = 2 }
  struct Address: Codable, Equatable {
    var street: String
    var number: Int?
  }

  var id: UUID = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()
  var name: String = "Ida"
  var kind: Kind = .librarian
  var shelf: Shelf? = .lower
  var genre: Genre = .essay
  var since: Date = Date(timeIntervalSince1970: 1_700_000_000.25)
  var photo: Data = Data([0, 255])
  var page: URL? = URL(string: "https://example.org/ida")
  var fee: Decimal = Decimal(string: "12.50") ?? 0
  var loans: UInt8 = 7
  var ratio: Float = 0.5
  var isActive: Bool = true
  var note: String?
  var tags: [String] = ["b", "a"]
  var address: Address? = Address(street: "Dune Road", number: nil)
  var counts: [String: Int] = ["x": 2, "a": 1]
}

extension Genre: Codable {}
