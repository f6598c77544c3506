import UndercroftCore

/// A request for the digest of a scope at a version.
package struct DigestRequest: Hashable, Sendable, WireMessage {
  package static let messageName = "digest request"

  package var scope: ScopeIdentifier
  package var version: Int64

  package init(scope: ScopeIdentifier, version: Int64) {
    self.scope = scope
    self.version = version
  }

  package var json: JSONValue {
    var object = WireObject()
    object[.scope] = .string(scope.text)
    object[.versionLimit] = .integer(version)
    return object.json
  }

  package init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      scope: try object.read(.scope, WireForm.identifier),
      version: try object.read(.versionLimit, WireForm.natural))
  }
}

/// The digest of a scope at the version at which the server computed it.
package struct DigestAnswer: Hashable, Sendable, WireMessage {
  package static let messageName = "answer to a digest request"

  package var version: Int64
  package var digest: ScopeDigest

  package init(version: Int64, digest: ScopeDigest) {
    self.version = version
    self.digest = digest
  }

  package var json: JSONValue {
    var object = WireObject()
    object[.versionLimit] = .integer(version)
    object[.count] = .integer(digest.count)
    object[.sum] = .string(WireForm.digits(digest.sum))
    return object.json
  }

  package init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    let sum = try object.read(.sum) { json throws(WireError) in
      let digits = try WireForm.text(json)
      guard digits.utf8.count == 16, !digits.utf8.contains(UInt8(ascii: "+")),
        let sum = UInt64(digits, radix: 16)
      else { throw WireError("expected a string of 16 hexadecimal digits") }
      return sum
    }
    self.init(
      version: try object.read(.versionLimit, WireForm.natural),
      digest: ScopeDigest(count: try object.read(.count, WireForm.natural), sum: sum))
  }
}
