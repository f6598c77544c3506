import Foundation

/// Files that contain a property list or a keyed archive.
extension SampleStoreMaker {
  func documents() throws -> [SampleStore] {
    try [
      document("plist-binary", Self.list(.binary)), document("plist-xml", Self.list(.xml)),
      document("plist-binary-large", Self.list(.binary, of: Self.books)),
      document("plist-xml-large", Self.list(.xml, of: Self.books)),
      archive("keyed-archive", Self.shelf(of: 4)),
      archive("keyed-archive-large", Self.shelf(of: 300)),
    ]
  }

  /// Returns a list as bytes.
  static func list(
    _ format: PropertyListSerialization.PropertyListFormat, of list: [String: Any] = loans
  ) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
  }

  private static var loans: [String: Any] {
    [
      "title": "Dune", "loans": [["reader": "Ada", "days": 14], ["reader": "Grace", "days": 7]],
      "cover": Data(repeating: 9, count: 40), "price": 1.5, "isLent": true,
      "due": Date(timeIntervalSince1970: 1_000_000_000),
    ]
  }

  /// Several hundred objects, some of which contain each other.
  private static var books: [String: Any] {
    var nested: [Any] = ["Emma"]
    for level in 0..<30 { nested = [nested, level] }
    return [
      "books": (1...120).map {
        ["title": "Žít \($0)", "pages": $0 * 1_000, "due": Date(timeIntervalSince1970: 1_000)]
      },
      "nested": nested, "cover": Data(repeating: 7, count: 700),
    ]
  }

  /// Books that refer to one shelf, as an application archives a graph of objects.
  private static func shelf(of count: Int) -> NSDictionary {
    let place: NSDictionary = ["room": "書庫", "since": NSDate(timeIntervalSince1970: 0)]
    let books = (1...count).map { number -> NSDictionary in
      [
        "title": "Dune \(number)", "pages": NSNumber(value: number), "place": place,
        "readers": NSSet(array: ["Ada", "Grace"]),
      ]
    }
    return ["shelf": books as NSArray, "cover": NSData(data: Data(repeating: 3, count: 90))]
  }

  private func archive(_ name: String, _ root: NSDictionary) throws -> SampleStore {
    let bytes = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
    return document(name, bytes)
  }

  private func document(_ name: String, _ bytes: Data) -> SampleStore {
    SampleStore(name: name, path: "list", files: ["list": bytes], isDocument: true)
  }
}
