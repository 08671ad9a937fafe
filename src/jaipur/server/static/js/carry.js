// The page with a link to another device: it can be copied.
import { offerCopy } from "./copy.js";

offerCopy();
