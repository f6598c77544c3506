import Foundation
import Testing

/// What is stored, or read by another process, does not change when a Swift name changes.
@Suite struct StoredNameTests {
  /// A declaration with its lines, down to its closing brace.
  private struct Declaration {
    let place: String
    let lines: ArraySlice<Substring>
  }

  /// Returns the declarations of the product whose first line matches, without generic parameters.
  private static func declarations(
    _ isWanted: (Substring) -> Bool
  ) throws -> [Declaration] {
    try SourceTree.product().flatMap { file -> [Declaration] in
      let lines = file.lines
      return lines.indices.compactMap { start -> Declaration? in
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

  @Test func `every enum with texts as raw values states each of them`() throws {
    let enums = try Self.declarations { $0.contains(#/\benum \w+: .*\bString\b/#) }

    for found in enums {
      for line in found.lines {
        // Without what is before the body, and without patterns of a `switch`.
        let body = line.split(separator: "{", maxSplits: 1).last ?? ""
        guard let cases = body.firstMatch(of: #/^ *case ([^:]+)$/#)?.1 else { continue }
        let isStated = cases.split(separator: ",").allSatisfy { $0.contains(" = \"") }
        #expect(isStated, "\(found.place): \(line)")
      }
    }
    #expect(enums.count > 15)
  }

  @Test func `every coded type states its keys, or codes itself`() throws {
    let types = try Self.declarations { line in
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

  @Test func `no enum of coding keys lacks texts`() throws {
    for file in try SourceTree.product() {
      for line in file.code {
        #expect(!line.contains(#/\benum \w+: CodingKey\b/#), "\(file.path): \(line)")
      }
    }
  }

  @Test func `no name of a type becomes a text, except in errors`() throws {
    // Their texts are read by people; everything else that becomes a text may be stored.
    let pattern = #/String\((?:describing|reflecting):|_typeName\(|#fileID|#function/#
    for file in try SourceTree.product() {
      let isForPeople = file.path == Self.shownErrors
      for line in file.code where !isForPeople {
        #expect(!line.contains(pattern), "\(file.path): \(line)")
      }
    }
  }

  /// Compares what an error shows with a secret.
  private static let shownErrors =
    "Sources/UndercroftTesting/Conformance/Checks/BackendConformance+Errors.swift"
}
