/// The properties of a name by which secrets are recognised, determined once for many values.
struct NameTraits {
  let name: String?
  /// Whether the name announces a secret value.
  let isSecret: Bool
  /// Whether text that looks random is expected under the name.
  let isDigestOrIdentifier: Bool

  init(_ name: String?) {
    self.name = name
    isSecret = name.map { SecretName.isSecret($0) } ?? false
    isDigestOrIdentifier = name.map { SecretName.isDigestOrIdentifier($0) } ?? false
  }
}
