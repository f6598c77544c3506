import Foundation
import UndercroftCore
import UndercroftInspection

extension FuzzTarget {
  /// Any value that a property list can contain.
  private indirect enum Tree: Codable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case date(Date)
    case bytes(Data)
    case list([Tree])
    case dictionary([String: Tree])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let date = try? value.decode(Date.self) {
        self = .date(date)
      } else if let bytes = try? value.decode(Data.self) {
        self = .bytes(bytes)
      } else if let list = try? value.decode([Tree].self) {
        self = .list(list)
      } else {
        self = .dictionary(try value.decode([String: Tree].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .text(let text): try value.encode(text)
      case .number(let number): try value.encode(number)
      case .flag(let flag): try value.encode(flag)
      case .date(let date): try value.encode(date)
      case .bytes(let bytes): try value.encode(bytes)
      case .list(let list): try value.encode(list)
      case .dictionary(let dictionary): try value.encode(dictionary)
      }
    }
  }

  /// The target for property lists in any format, which are decoded as values and formatted as in
  /// the inspector.
  static let propertyList = FuzzTarget("property-list") {
    let tree = Tree.dictionary([
      "title": .text("Emma <1815>"), "pages": .number(474), "lent": .flag(true),
      "readers": .list([.text("Ada"), .dictionary([:]), .bytes(Data([1, 2]))]),
      "due": .date(Date(timeIntervalSince1970: 0)),
    ])
    return try [
      PropertyListCodec(.binary).encode(tree), PropertyListCodec(.xml).encode(tree),
      Data("<plist><dict><key>a</key><string><![CDATA[<>]]></string></dict></plist>".utf8),
      Data("{ title = \"Emma\"; pages = (1, 2); }".utf8),
    ]
  } run: { input in
    let codec = PropertyListCodec(.binary)
    if let tree = try? codec.decode(Tree.self, from: input) { _ = try? codec.encode(tree) }
    _ = try? codec.decode([String].self, from: input)
    _ = ValueText.readable(input)
    _ = ValueText.brief(input)
  }
}
