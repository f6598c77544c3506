/// The reason why a property list is rejected before Foundation decodes it.
enum PropertyListDefect: String, Error {
  case notText = "the property list is not text in UTF-8 or UTF-16"
  case tooDeep = "the property list is nested too deeply"
  case endless = "an array or dictionary of the property list contains itself"
  case tooManyObjects = "the property list expands to far more objects than it contains"
  case objectTooLarge = "an object declares a size larger than the property list"
}
