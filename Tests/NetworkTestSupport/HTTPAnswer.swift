#if SyncServer
  package import Foundation

  /// The answer of a server.
  package struct HTTPAnswer: Sendable {
    package let status: Int
    /// The fields by their names in lower case.
    package let fields: [String: String]
    package let body: Data

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of the problem details in the body, or `nil` for any other body.
    package var code: String? {
      guard fields["content-type"] == "application/problem+json" else { return nil }
      return (try? JSONDecoder().decode([String: ProblemMember].self, from: body))?["code"]?.text
    }

    private struct ProblemMember: Decodable {
      let text: String?

      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
  }
#endif
