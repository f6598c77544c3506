import Foundation
import Testing

/// Tests that stored or exchanged data does not depend on Swift names, so that names can be
/// changed.
@Suite struct StoredNameTests {
  /// A declaration with its lines up to the closing brace.
  private struct Declaration {
    let place: String
    let lines: ArraySlice<Substring>
  }

  /// Returns the declarations in the sources of the product whose first line is wanted.
  ///
  /// - Parameters:
  ///   - word: a word of each wanted line; other lines are skipped without a call of `isWanted`.
  ///   - isWanted: whether a first line, without generic parameters, belongs to a wanted
  ///     declaration.
  private static func declarations(
    mentioning word: String, _ isWanted: (Substring) -> Bool
  ) throws -> [Declaration] {
    try SourceTree.product().flatMap { file -> [Declaration] in
      let lines = file.lines
      return lines.indices.compactMap { start -> Declaration? in
        guard lines[start].contains(word) else { return nil }
        let first = lines[start].replacing(#/<[^>]*>/#, with: "")
        let text = first.drop { $0 == " " }
        guard !text.hasPrefix("//"), isWanted(text[...]) else { return nil }
        let indent = lines[start].prefix { $0 == " " }
        let isOneLine = first.hasSuffix("}")
        let end = isOneLine ? start : lines[start...].firstIndex(of: indent + "}") ?? start
        return Declaration(place: "\(file.path):\(start + 1)", lines: lines[start...end])
      }
    }
  }

  @Test func `every enum with string raw values spells out each raw value`() throws {
    let enums = try Self.declarations(mentioning: "enum") {
      $0.contains(#/\benum \w+: .*\bString\b/#)
    }

    for found in enums {
      for line in found.lines {
        // Only the body of the enum, without patterns of a `switch`.
        let body = line.split(separator: "{", maxSplits: 1).last ?? ""
        guard let cases = body.firstMatch(of: #/^ *case ([^:]+)$/#)?.1 else { continue }
        let isStated = cases.split(separator: ",").allSatisfy { $0.contains(" = \"") }
        #expect(isStated, "\(found.place): \(line)")
      }
    }
    #expect(enums.count > 15)
  }

  @Test func `every codable type declares CodingKeys, encode(to:) or init(from:)`() throws {
    let types = try Self.declarations(mentioning: "odable") { line in
      line.contains(#/\b(?:struct|class|enum) \w+: .*\b(?:Codable|Encodable|Decodable)\b/#)
        && !line.contains(#/\benum \w+: String\b/#)
    }

    for type in types {
      let isStated = type.lines.contains { line in
        line.contains("enum CodingKeys: String, CodingKey {")
          || line.contains("func encode(to ") || line.contains("init(from ")
      }
      #expect(isStated, "\(type.place)")
    }
    #expect(types.count > 10)
  }

  @Test func `every enum of coding keys has string raw values`() throws {
    for file in try SourceTree.product() {
      for line in file.code where line.contains("CodingKey") {
        #expect(!line.contains(#/\benum \w+: CodingKey\b/#), "\(file.path): \(line)")
      }
    }
  }

  @Test
  func `only one file, a check of error texts, converts type or function names to strings`()
    throws
  {
    // Error texts are read by people; other strings may be stored.
    let pattern = #/String\((?:describing|reflecting):|_typeName\(|#fileID|#function/#
    for file in try SourceTree.product() {
      let isForPeople = file.path == Self.shownErrors
      for line in file.code where !isForPeople {
        #expect(!line.contains(pattern), "\(file.path): \(line)")
      }
    }
  }

  /// The file that compares the text of an error with a secret.
  private static let shownErrors =
    "Sources/UndercroftTesting/Conformance/Checks/BackendConformance+Errors.swift"
}
